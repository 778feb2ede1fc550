import Records
import Synchronization

/// A directory in memory: the reference that databases are compared with. It does not survive its process.
package final class MemoryDirectory: Directory {
    private let state = Mutex(MemoryDirectoryState())

    package init() {}

    package func close() async throws {}

    /// Runs a call on the whole state; a call that throws leaves the state as it was.
    func with<T>(_ body: (inout MemoryDirectoryState) throws -> T) throws -> T {
        try state.withLock { state in
            var draft = state
            let result = try body(&draft)
            state = draft
            return result
        }
    }
}
