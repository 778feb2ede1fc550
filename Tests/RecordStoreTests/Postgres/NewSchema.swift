import Foundation
import PostgreSQLSupport

@testable import TestKit

/// Runs a test with a new schema of the database, whose tables are apart from those of other tests, and drops
/// it.
///
/// - Parameter body: gets the address with which connections use the schema.
func withNewSchema(_ body: (_ address: String) async throws -> Void) async throws {
    try await withFolder { folder in
        let address = try PostgresForTests.requiredAddress()
        // The names of the folders are random.
        let letters = folder.lastPathComponent.lowercased().filter { $0.isLetter || $0.isNumber }
        let schema = PostgresSchema("new_\(letters)", in: address)
        try schema.add()
        try await body(schema.address)
        try schema.drop()
    }
}
