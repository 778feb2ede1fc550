import Foundation
import Synchronization

/// The folder of a replica, and a copy of it as it is after the end of the process or a power failure.
final class FailingDisk: Sendable {
    let folder: URL
    private let database: String
    /// The length of the database's log at its last flush.
    private let length = Mutex(0)

    init(_ folder: URL, database: String = "replica.sqlite") {
        self.folder = folder
        self.database = database
    }

    /// Notes that a file was flushed.
    func noteFlush(of file: URL) throws {
        guard file.lastPathComponent == database + "-wal" else { return }
        let now = try Self.length(of: file)
        length.withLock { $0 = now }
    }

    /// Notes that the replica is opened again, with a new log.
    func restart() {
        length.withLock { $0 = 0 }
    }

    /// The number of bytes that were written to the log since its last noted flush.
    func unflushedBytes() throws -> Int {
        let now = try Self.length(of: folder.appendingPathComponent(database + "-wal"))
        return now - length.withLock(\.self)
    }

    /// Copies the files as they are when the process ends. After a power failure, what was written to the log
    /// since its last noted flush is missing, except for its first `kept` bytes.
    func copy(to place: URL, isPowerFailure: Bool, kept: Int = 0) throws {
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        for name in [database, database + "-wal"] {
            try FileManager.default.copyItem(
                at: folder.appendingPathComponent(name), to: place.appendingPathComponent(name))
        }
        guard isPowerFailure else { return }
        let log = try FileHandle(forWritingTo: place.appendingPathComponent(database + "-wal"))
        try log.truncate(atOffset: UInt64(length.withLock(\.self) + kept))
        try log.close()
    }

    /// The length of a log without frames of an earlier use, which have another salt than its header.
    private static func length(of log: URL) throws -> Int {
        let bytes = [UInt8](try Data(contentsOf: log))
        let (header, frameHeader) = (32, 24)
        if bytes.count < header { return 0 }
        let page = bytes[8..<12].reduce(0) { $0 << 8 | Int($1) }
        var end = header
        while end + frameHeader + page <= bytes.count, bytes[end + 8..<end + 16] == bytes[16..<24] {
            end += frameHeader + page
        }
        return end
    }
}
