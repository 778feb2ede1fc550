import DataRows
import Directory
import DirectorySQLite
import Foundation
import Records
import SQLiteSupport
import Testing

@testable import TestKit

/// The implementations of the directory contract.
enum DirectoryKind: String, CaseIterable, Sendable {
    case memory
    case sqlite

    func open(_ file: URL) throws -> any Directory {
        switch self {
        case .memory: MemoryDirectory()
        case .sqlite: try SQLiteDirectory(file: file, durability: .process)
        }
    }

    /// Opens the directory that a random life compares with the one in memory.
    static func openCompared(in folder: URL) throws -> any Directory {
        try SQLiteDirectory(file: folder.appendingPathComponent("directory.sqlite"), durability: .none)
    }

    /// The content of a directory that `openCompared` has opened.
    static func content(of directory: any Directory, in folder: URL) throws -> any DirectoryContent {
        try SQLiteDirectoryRows(folder.appendingPathComponent("directory.sqlite"))
    }
}

/// Runs a test with a new directory, then closes it and checks that its file is intact.
func withDirectory(_ kind: DirectoryKind, _ body: (any Directory) async throws -> Void) async throws {
    try await withFolder { folder in
        let file = folder.appendingPathComponent("directory.sqlite")
        let directory = try kind.open(file)
        try await body(directory)
        try await directory.close()
        if kind == .sqlite {
            let file = try SQLiteFile(file)
            #expect(try SQLiteDirectory.faults(of: file) == [])
            try file.close()
        }
    }
}
