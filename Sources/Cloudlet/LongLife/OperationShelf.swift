import Foundation

/// The folder of long-lived operations: one file for what was asked, one that grows with the answers.
///
/// Nothing of a file that was damaged is believed: an operation that cannot be read is none, an answer that
/// cannot be read was never given.
struct OperationShelf: Sendable {
    /// What is known of an operation before its answers.
    struct Entry: Codable {
        var id: String
        var container: String
        var environment: String
        var scope: Int
        var operation: PlainOperation
        /// How it is run; nil in files of versions that did not keep it.
        var configuration: PlainConduct?
        /// When all answers were there; nil while it goes on.
        var finished: Date?
    }

    /// How long an operation that has finished is kept for whoever asks for it.
    static let lifetime: TimeInterval = 24 * 3600

    /// How much a folder holds, so that nothing grows without end.
    struct Bounds {
        /// Operations; of one more the oldest that has finished goes, and if none has, it is not long-lived.
        var operations = 100
        /// Bytes of all answers; what comes after is not kept, and asked for again by the next process.
        var answerBytes = 64 << 20
    }

    let folder: URL
    var bounds = Bounds()

    /// The operations of a container, those of an earlier process included, by ID.
    ///
    /// - Parameter now: Those that finished long before go for good.
    func entries(container: String, environment: String, now: Date) -> [Entry] {
        files(".operation").compactMap { file in
            guard let entry = entry(in: file) else { return nil }
            guard entry.container == container, entry.environment == environment else { return nil }
            if let finished = entry.finished, now.timeIntervalSince(finished) > Self.lifetime {
                remove(entry.id)
                return nil
            }
            return entry
        }
    }

    /// Writes down an operation before anything of it is sent; one that is there already stays.
    func keep(_ entry: Entry) throws {
        let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: attributes)
        guard !FileManager.default.fileExists(atPath: file(entry.id).path) else { return }
        try makeRoom()
        try write(entry)
    }

    /// Notes that all answers are there.
    func finish(_ id: String, at moment: Date) {
        guard var entry = entry(in: file(id)) else { return }
        entry.finished = moment
        try? write(entry)
    }

    /// Forgets an operation with its answers.
    func remove(_ id: String) {
        try? FileManager.default.removeItem(at: file(id))
        try? FileManager.default.removeItem(at: answersFile(id))
    }

    /// The answers that an operation has had, by the request they were given to.
    func answers(of id: String) -> [String: RecordedAnswer] {
        guard let data = try? Data(contentsOf: answersFile(id)) else { return [:] }
        let decoder = JSONDecoder()
        let lines = data.split(separator: UInt8(ascii: "\n"))
        let answers = lines.compactMap { try? decoder.decode(RecordedAnswer.self, from: Data($0)) }
        // A note that a request was sent is followed by its answer.
        return Dictionary(answers.map { ($0.request, $0) }, uniquingKeysWith: { _, last in last })
    }

    /// Adds an answer.
    func add(_ answer: RecordedAnswer, to id: String) {
        // An operation that has ended keeps nothing.
        guard FileManager.default.fileExists(atPath: file(id).path),
            let json = try? JSONEncoder().encode(answer)
        else { return }
        // A line that a crash has torn ends here.
        let line = Data("\n".utf8) + json + Data("\n".utf8)
        guard answer.status == 0 || answerBytes + line.count <= bounds.answerBytes else { return }
        let path = answersFile(id).path
        if !FileManager.default.fileExists(atPath: path) {
            _ = FileManager.default.createFile(
                atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
        }
        guard let handle = FileHandle(forWritingAtPath: path) else { return }
        defer { try? handle.close() }
        _ = try? handle.seekToEnd()
        try? handle.write(contentsOf: line)
        try? handle.synchronize()
    }

    private func files(_ suffix: String) -> [URL] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasSuffix(suffix) }.sorted().map { folder.appendingPathComponent($0) }
    }

    /// Bytes of all answers.
    private var answerBytes: Int {
        files(".answers").reduce(0) { sum, file in
            sum + ((try? FileStamp(path: file.path).size).map { Int($0) } ?? 0)
        }
    }

    /// Lets the oldest operation that has finished go if there are as many as there may be.
    private func makeRoom() throws {
        let operations = files(".operation")
        guard operations.count >= bounds.operations else { return }
        let finished = operations.compactMap(entry(in:)).filter { $0.finished != nil }
        guard let oldest = finished.min(by: { ($0.finished ?? .distantPast) < ($1.finished ?? .distantPast) })
        else { throw CocoaError(.fileWriteOutOfSpace) }
        remove(oldest.id)
    }

    private func entry(in file: URL) -> Entry? {
        (try? Data(contentsOf: file)).flatMap { try? JSONDecoder().decode(Entry.self, from: $0) }
    }

    private func write(_ entry: Entry) throws {
        let file = file(entry.id)
        try JSONEncoder().encode(entry).write(to: file, options: .atomic)
        // It may hold values that are sealed everywhere else.
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
    }

    private func file(_ id: String) -> URL {
        folder.appendingPathComponent(Self.safe(id) + ".operation")
    }

    private func answersFile(_ id: String) -> URL {
        folder.appendingPathComponent(Self.safe(id) + ".answers")
    }

    private static func safe(_ id: String) -> String {
        String(id.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }.prefix(64))
    }
}

/// An answer that was had, and to what; status 0 only notes that the request was sent.
struct RecordedAnswer: Codable, Sendable {
    var request: String
    var status: Int
    var headers: [[String]]
    var body: Data
    /// Whether the request may have been carried out before it was answered.
    var isRepeat: Bool?
}
