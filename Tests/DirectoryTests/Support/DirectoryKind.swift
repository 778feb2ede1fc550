import DataRows
import Directory
import DirectoryPostgres
import DirectorySQLite
import Foundation
import PostgreSQLSupport
import Records
import SQLiteSupport
import Testing

@testable import TestKit

/// The implementations of the directory contract that the suite runs against: PostgreSQL if
/// `Tests/postgresql` runs it, otherwise the others.
enum DirectoryKind: String, CaseIterable, Sendable {
    case memory
    case sqlite
    case postgres

    static let allCases: [DirectoryKind] =
        PostgresForTests.address == nil ? [.memory, .sqlite] : [.postgres]

    func open(_ file: URL) throws -> any Directory {
        switch self {
        case .memory: MemoryDirectory()
        case .sqlite: try SQLiteDirectory(file: file, durability: .process)
        case .postgres: try PostgresSchema(of: file.deletingLastPathComponent()).directory()
        }
    }

    /// Opens the directory that a random life compares with the one in memory.
    static func openCompared(in folder: URL) throws -> any Directory {
        if allCases == [.postgres] { return try PostgresSchema(of: folder).directory() }
        return try SQLiteDirectory(
            file: folder.appendingPathComponent("directory.sqlite"), durability: .none)
    }

    /// The content of a directory that `openCompared` has opened.
    static func content(of directory: any Directory, in folder: URL) throws -> any DirectoryContent {
        if let postgres = directory as? PostgresDirectory { return postgres.rows }
        return try SQLiteDirectoryRows(folder.appendingPathComponent("directory.sqlite"))
    }
}

/// Runs a test with a new directory, then closes it and checks that its file is intact, or drops its schema.
func withDirectory(_ kind: DirectoryKind, _ body: (any Directory) async throws -> Void) async throws {
    try await withFolder { folder in
        let file = folder.appendingPathComponent("directory.sqlite")
        let directory = try kind.open(file)
        try await body(directory)
        try await directory.close()
        switch kind {
        case .memory: break
        case .sqlite:
            let file = try SQLiteFile(file)
            #expect(try SQLiteDirectory.faults(of: file) == [])
            try file.close()
        case .postgres: try PostgresSchema(of: folder).drop()
        }
    }
}
