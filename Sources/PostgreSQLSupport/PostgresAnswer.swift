/// The result of a statement that was sent, available after `PostgresConnection.finish()`.
package final class PostgresAnswer {
    private let connection: PostgresConnection
    fileprivate(set) var result: Result<PostgresRows, any Error>?

    init(_ connection: PostgresConnection) {
        self.connection = connection
    }

    /// The rows of the statement. Waits for it, and for all that were sent before it.
    package func rows() throws -> PostgresRows {
        if result == nil { try connection.finish() }
        guard let result else { throw PostgresConnection.lost("a statement has no result") }
        return try result.get()
    }

    func complete(_ result: Result<PostgresRows, any Error>) {
        self.result = result
    }
}
