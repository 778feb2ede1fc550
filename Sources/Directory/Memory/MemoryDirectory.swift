import Records
import Synchronization

/// A directory in memory: the reference implementation for tests. A server uses `SQLiteDirectory`.
package final class MemoryDirectory: Directory {
    private let state = Mutex(MemoryDirectoryState())

    package init() {}

    package func close() async throws {}

    /// Runs a call on a copy of the state, and keeps the copy unless the call throws.
    func with<T>(_ body: (inout MemoryDirectoryState) throws -> T) throws -> T {
        try state.withLock { state in
            var draft = state
            let result = try body(&draft)
            state = draft
            return result
        }
    }
}
