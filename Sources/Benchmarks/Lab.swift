import Foundation

/// The parameters that all rows share, and their temporary folder.
struct Lab {
    private(set) var scale: Double
    let runs: Int
    let seed: UInt64
    private(set) var pocketbase: String?
    /// The limits with which Cloudlet is measured. The measurement with the first limits is the row's value.
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

    /// A lab with `factor` times the data, without the peer and without limits: with limits, one person may
    /// not send that many requests or records.
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

    /// `count` times the scale, rounded to a multiple of `step` and at least `step`.
    func scaled(_ count: Int, by step: Int = 1) -> Int {
        max(1, Int((Double(count) * scale / Double(step)).rounded())) * step
    }

    /// Creates an empty folder.
    func newFolder() throws -> URL {
        let new = folder.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: new, withIntermediateDirectories: true)
        return new
    }

    /// The reason why the peer is not measured; nil if it is.
    var peerReason: String? {
        pocketbase == nil ? "the option --pocketbase PATH is missing" : nil
    }

    /// Runs `work` with a new peer on an empty folder, or with nil if no peer is given.
    func withPeer<Value>(_ work: (PeerSubject?) throws -> Value) throws -> Value {
        guard let pocketbase else { return try work(nil) }
        return try withFolder { folder in
            let peer = try PeerSubject(binary: pocketbase, folder: folder)
            defer { peer.stop() }
            return try work(peer)
        }
    }

    /// Fills a folder through a server without limits. The server has stopped when this returns.
    func fill(_ folder: URL, _ work: (CloudletSubject) throws -> Void) throws {
        try CloudletSubject.serving(folder, limits: .none, work)
    }

    /// Runs `work` with an empty folder and then deletes the folder.
    func withFolder<Value>(_ work: (URL) throws -> Value) throws -> Value {
        let folder = try newFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        return try work(folder)
    }
}
