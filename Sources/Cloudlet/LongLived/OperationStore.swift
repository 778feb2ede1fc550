import Foundation

/// The folder that stores long-lived operations: for each operation one file with its input, and one to which
/// its answers are appended.
///
/// Damaged files are ignored: an operation that cannot be decoded does not exist, and an answer that cannot
/// be decoded counts as not received.
struct OperationStore: Sendable {
    /// The stored input of an operation.
    struct Entry: Codable {
        var id: String
        var container: String
        var environment: String
        var scope: Int
        var operation: ArchivedOperation
        /// The operation's configuration; nil in files of versions that did not store it.
        var configuration: ArchivedOperationConfiguration?
        /// When all answers had arrived; nil while the operation is unfinished.
        var finished: Date?
    }

    /// How long a finished operation is kept for a process that asks for it, in seconds.
    static let lifetime: TimeInterval = 24 * 3600

    /// The limits of a folder.
    struct Bounds {
        /// The maximum number of operations. Beyond it, the oldest finished operation is deleted; if none is
        /// finished, the new operation does not become long-lived.
        var operations = 100
        /// The maximum size of all answers together, in bytes. Further answers are not stored, so the next
        /// process sends those requests again.
        var answerBytes = 64 << 20
    }

    let folder: URL
    var bounds = Bounds()

    /// The stored operations of a container, sorted by ID. Those of earlier processes are included.
    ///
    /// - Parameter now: The current time: operations that finished more than `lifetime` ago are deleted.
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

    /// Stores an operation, before any of its requests is sent. An operation that is already stored is left
    /// unchanged.
    func keep(_ entry: Entry) throws {
        let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: attributes)
        guard !FileManager.default.fileExists(atPath: file(entry.id).path) else { return }
        try makeRoom()
        try write(entry)
    }

    /// Marks an operation as finished.
    func finish(_ id: String, at moment: Date) {
        guard var entry = entry(in: file(id)) else { return }
        entry.finished = moment
        try? write(entry)
    }

    /// Deletes an operation and its answers.
    func remove(_ id: String) {
        try? FileManager.default.removeItem(at: file(id))
        try? FileManager.default.removeItem(at: answersFile(id))
    }

    /// The stored answers of an operation, by request.
    func answers(of id: String) -> [String: RecordedAnswer] {
        guard let data = try? Data(contentsOf: answersFile(id)) else { return [:] }
        let decoder = JSONDecoder()
        let lines = data.split(separator: UInt8(ascii: "\n"))
        let answers = lines.compactMap { try? decoder.decode(RecordedAnswer.self, from: Data($0)) }
        // The entry for the sending of a request comes before its answer, so the last entry is used.
        return Dictionary(answers.map { ($0.request, $0) }, uniquingKeysWith: { _, last in last })
    }

    /// Appends an answer to the operation's file.
    func add(_ answer: RecordedAnswer, to id: String) {
        // The operation may have ended and its file may be deleted.
        guard FileManager.default.fileExists(atPath: file(id).path),
            let json = try? JSONEncoder().encode(answer)
        else { return }
        // The first line break ends a line that a crash may have cut off.
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

    /// The size of all answers together, in bytes.
    private var answerBytes: Int {
        files(".answers").reduce(0) { sum, file in
            sum + ((try? FileStamp(path: file.path).size).map { Int($0) } ?? 0)
        }
    }

    /// Deletes the oldest finished operation if the folder is full.
    ///
    /// - Throws: `CocoaError.fileWriteOutOfSpace` if no operation is finished.
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
        // The file may contain values that are encrypted everywhere else.
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

/// A request and its answer. The status 0 only notes that the request was sent.
struct RecordedAnswer: Codable, Sendable {
    var request: String
    var status: Int
    var headers: [[String]]
    var body: Data
    /// Whether the request may have been carried out by an earlier attempt.
    var isRepeat: Bool?
}
