import Foundation
import Testing

/// The PostgreSQL that `Tests/postgresql` starts. Without it, the tests that need an engine are skipped, and
/// the contract suites run with the other stores.
enum PostgresForTests {
    /// A connection string of libpq; nil if no engine was started.
    static let address = ProcessInfo.processInfo.environment["CLOUDLET_POSTGRESQL"]

    static func requiredAddress() throws -> String { try #require(address) }
}

extension Trait where Self == ConditionTrait {
    /// For suites that need PostgreSQL.
    static var needsPostgres: Self {
        .enabled(if: PostgresForTests.address != nil, "Tests/postgresql starts the engine for it")
    }
}
