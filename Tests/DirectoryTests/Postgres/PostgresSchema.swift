import DirectoryPostgres
import Foundation
import PostgreSQLSupport

@testable import TestKit

/// The directory that belongs to a folder. Each has a schema of its own in the database of the engine.
struct PostgresSchema {
    private let name: String

    /// - Parameter folder: its name is random.
    init(of folder: URL) {
        name = "directory_" + folder.lastPathComponent.lowercased().filter { $0.isLetter || $0.isNumber }
    }

    /// Opens the directory, or creates it.
    func directory(process: Int64 = 1) throws -> PostgresDirectory {
        try run("CREATE SCHEMA IF NOT EXISTS \(name)")
        return try PostgresDirectory(address: address(), process: process, connections: 2)
    }

    /// The address with which connections use the schema.
    func address() throws -> String {
        "\(try PostgresForTests.requiredAddress()) options='-c search_path=\(name)'"
    }

    func drop() throws { try run("DROP SCHEMA \(name) CASCADE") }

    private func run(_ sql: String) throws {
        try PostgresConnection(PostgresForTests.requiredAddress()).execute(sql)
    }
}
