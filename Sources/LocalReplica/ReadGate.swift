import Dispatch
import GRDB
import Synchronization

/// Lets reads on the thread of their caller end before the database is closed, and permits none afterwards.
/// Without it, such a read could use a connection that is closed meanwhile, which ends the process.
final class ReadGate: Sendable {
    private let isClosed = Mutex(false)
    private let running = DispatchGroup()

    /// Runs a read. Throws `DatabaseError` if the database is closed or being closed.
    func run<T>(_ read: () throws -> T) throws -> T {
        let mayRun = isClosed.withLock { isClosed in
            if !isClosed { running.enter() }
            return !isClosed
        }
        guard mayRun else { throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "it is closed") }
        defer { running.leave() }
        return try read()
    }

    /// Waits for the running reads, and closes the database with `close`. If that throws, reads are permitted
    /// again. Do not call it within a read.
    func close(_ close: () throws -> Void) throws {
        isClosed.withLock { $0 = true }
        running.wait()
        do { try close() } catch {
            isClosed.withLock { $0 = false }
            throw error
        }
    }
}
