import Foundation
import Synchronization

/// The folder of a replica, and a copy of it as it is after the end of the process or a power failure.
final class FailingDisk: Sendable {
    let folder: URL
    private let database: String
    /// The length of the database's log at its last flush.
    private let length = Mutex<UInt64>(0)

    init(_ folder: URL, database: String = "replica.sqlite") {
        self.folder = folder
        self.database = database
    }

    /// Notes that a file was flushed.
    func noteFlush(of file: URL) throws {
        guard file.lastPathComponent == database + "-wal" else { return }
        let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? NSNumber
        length.withLock { $0 = size?.uint64Value ?? 0 }
    }

    /// Copies the files as they are when the process ends. After a power failure, what was written to the log
    /// since its last noted flush is missing.
    func copy(to place: URL, isPowerFailure: Bool) throws {
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        for name in [database, database + "-wal"] {
            try FileManager.default.copyItem(
                at: folder.appendingPathComponent(name), to: place.appendingPathComponent(name))
        }
        guard isPowerFailure else { return }
        let log = try FileHandle(forWritingTo: place.appendingPathComponent(database + "-wal"))
        try log.truncate(atOffset: length.withLock(\.self))
        try log.close()
    }
}
