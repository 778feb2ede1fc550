import Foundation

/// What every row is given.
struct Lab {
    private(set) var scale: Double
    let runs: Int
    let seed: UInt64
    private(set) var pocketbase: String?
    /// The limits with which the subject is measured; the first is the one that counts.
    private(set) var limits = CloudletProgram.Limits.allCases
    let folder: URL

    init(scale: Double, runs: Int, seed: UInt64, pocketbase: String?, parent: URL) throws {
        self.scale = scale
        self.runs = runs
        self.seed = seed
        self.pocketbase = pocketbase
        folder = parent.appendingPathComponent("cloudlet-benchmarks-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    /// The same circumstances with so many times the data, without the peer, and without limits: a person may
    /// neither send that many requests nor store that many records at once.
    func times(_ factor: Double) -> Lab {
        var lab = self
        lab.scale *= factor
        lab.pocketbase = nil
        lab.limits = [.none]
        return lab
    }

    func cleanUp() {
        try? FileManager.default.removeItem(at: folder)
    }

    /// `count` times the scale, a multiple of `step` and at least one of them.
    func scaled(_ count: Int, by step: Int = 1) -> Int {
        max(1, Int((Double(count) * scale / Double(step)).rounded())) * step
    }

    /// A folder that did not exist before.
    func newFolder() throws -> URL {
        let new = folder.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: new, withIntermediateDirectories: true)
        return new
    }

    /// Why there is no peer; nil if there is one.
    var peerReason: String? {
        pocketbase == nil ? "no --pocketbase PATH was given" : nil
    }

    /// Runs `work` with the peer, on fresh data, or with nil if there is none.
    func withPeer<Value>(_ work: (PeerSubject?) throws -> Value) throws -> Value {
        guard let pocketbase else { return try work(nil) }
        return try withFolder { folder in
            let peer = try PeerSubject(binary: pocketbase, folder: folder)
            defer { peer.stop() }
            return try work(peer)
        }
    }

    /// Fills a folder by a server without limits, which has stopped when this returns.
    func fill(_ folder: URL, _ work: (CloudletSubject) throws -> Void) throws {
        try CloudletSubject.serving(folder, limits: .none, work)
    }

    /// Runs `work` with a fresh folder that is gone afterwards.
    func withFolder<Value>(_ work: (URL) throws -> Value) throws -> Value {
        let folder = try newFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        return try work(folder)
    }
}
