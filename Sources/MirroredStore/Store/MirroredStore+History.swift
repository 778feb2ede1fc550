public import Foundation
import LocalReplica
import ObjectModel

extension MirroredStore {
    /// The transactions after a token, oldest first. The token 0 stands for the beginning.
    ///
    /// - Parameter author: the author whose transactions are left out, for example the caller itself; nil
    ///   leaves out none.
    /// - Throws: `MirroredStoreError`; with the code `historyExpired` if transactions after the token were
    ///   deleted.
    public func history(
        after token: Int64 = 0, besides author: String? = nil, limit: Int = 1_000
    ) async throws -> [HistoryTransaction] {
        try await flushed { try $0.history(after: token, limit: limit, besides: author) }
    }

    /// The token of the last transaction; 0 if there was none. Later calls of `history` with this token
    /// return all transactions from now on.
    ///
    /// - Throws: `MirroredStoreError`.
    public func currentHistoryToken() async throws -> Int64 {
        try await flushed { try $0.lastToken() }
    }

    /// Reads the history, and waits until it is on disk: otherwise, after a power failure, another
    /// transaction could get a token that the app has stored.
    private func flushed<T: Sendable>(
        _ body: @escaping @Sendable (Graph) throws -> T
    ) async throws -> T {
        let result = try await read { try body($0.graph) }
        do { try await replica.flush() } catch { throw MirroredStoreError.translated(error) }
        return result
    }

    /// Deletes the history before a moment.
    ///
    /// - Throws: `MirroredStoreError`.
    public func deleteHistory(before date: Date) async throws {
        try await changeHistory { try $0.deleteHistory(before: date) }
    }

    /// Deletes the history up to a token, that one included.
    ///
    /// - Throws: `MirroredStoreError`.
    public func deleteHistory(upTo token: Int64) async throws {
        try await changeHistory { try $0.deleteHistory(upTo: token) }
    }

    private func changeHistory(_ body: @escaping @Sendable (Graph) throws -> Void) async throws {
        let layout = layout
        do {
            try await replica.write { try body(Graph(database: $0.database, layout: layout)) }
        } catch { throw MirroredStoreError.translated(error) }
    }
}
