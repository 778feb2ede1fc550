import DataRows
import Directory
import DirectoryPostgres
import Foundation
import PostgreSQLSupport
import Records
import Testing

@testable import TestKit

/// The directories that the contract suite runs against in this package.
enum DirectoryKind: String, CaseIterable, Sendable {
    case postgres

    func open(_ file: URL) throws -> any Directory {
        try Self.directory(of: file.deletingLastPathComponent())
    }

    /// Opens the directory that a random life compares with the one in memory.
    static func openCompared(in folder: URL) throws -> any Directory { try directory(of: folder) }

    /// The content of a directory.
    static func content(of directory: any Directory, in folder: URL) throws -> any DirectoryContent {
        try #require(directory as? PostgresDirectory).rows
    }

    /// Opens the directory that belongs to a folder, or creates it. Each has a schema of its own in the
    /// database that the script `Tests/postgresql` starts.
    static func directory(of folder: URL, process: Int64 = 1) throws -> PostgresDirectory {
        try run("CREATE SCHEMA IF NOT EXISTS \(schema(of: folder))")
        return try PostgresDirectory(address: address(of: folder), process: process, connections: 2)
    }

    static func address(of folder: URL) -> String {
        "\(address) options='-c search_path=\(schema(of: folder))'"
    }

    private static let address =
        ProcessInfo.processInfo.environment["CLOUDLET_POSTGRESQL"] ?? "dbname=cloudlet"

    /// The names of the folders are random.
    private static func schema(of folder: URL) -> String {
        "directory_" + String(folder.lastPathComponent.lowercased().filter { $0.isLetter || $0.isNumber })
    }

    static func drop(_ folder: URL) throws { try run("DROP SCHEMA \(schema(of: folder)) CASCADE") }

    private static func run(_ sql: String) throws { try PostgresConnection(address).execute(sql) }
}

/// Runs a test with a new directory, then closes and drops it.
func withDirectory(_ kind: DirectoryKind, _ body: (any Directory) async throws -> Void) async throws {
    try await withFolder { folder in
        let directory = try DirectoryKind.directory(of: folder)
        try await body(directory)
        try await directory.close()
        try DirectoryKind.drop(folder)
    }
}
