import PostgreSQLSupport
import Synchronization

/// The numbers of the databases of an engine, by their names.
final class PostgresDatabaseNumbers: Sendable {
    private let numbers = Mutex<[String: Int64]>([:])

    subscript(name: String) -> Int64? { numbers.withLock { $0[name] } }

    /// The names with this beginning, sorted.
    func names(beginningWith prefix: String) -> [String] {
        numbers.withLock { $0.keys.filter { $0.hasPrefix(prefix) } }.sorted()
    }

    /// Reads all numbers. Returns the names of the databases that were removed without a message.
    func load(_ connection: PostgresConnection) throws -> [String] {
        let rows = try connection.run("SELECT name, number FROM record_database", [])
        let read = Dictionary(rows.map { ($0.text(0), $0.integer(1)) }) { $1 }
        connection.recover()
        return replace(by: read)
    }

    /// Replaces all numbers. Returns the names that have none any more, or another one: their databases were
    /// removed.
    func replace(by read: [String: Int64]) -> [String] {
        numbers.withLock { numbers in
            defer { numbers = read }
            return numbers.filter { read[$0.key] != $0.value }.keys.sorted()
        }
    }

    /// Adds or removes the database of a message.
    func apply(_ content: PostgresEngineMessage.Content) {
        numbers.withLock { numbers in
            switch content {
            case .added(let name, let number):
                // A number that is not greater is of a database that was removed meanwhile.
                if numbers[name].map({ $0 < number }) ?? true { numbers[name] = number }
            case .removed(let name, let number):
                if numbers[name] == number { numbers[name] = nil }
            case .notifications, .told: break
            }
        }
    }
}
