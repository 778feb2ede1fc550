import DirectorySQLite
import Foundation
import RecordStore
import RecordStoreSQLite
import Records
import RecordsWire
import SQLiteSupport
import Testing

@testable import TestKit

enum FileKind: String, CaseIterable, Sendable {
    case database
    case directory

    static func released() throws -> [ReleasedSchema] {
        try ReleasedSchema.all(allCases.map(\.rawValue))
    }

    /// Opens the file as a server does, which creates or migrates it, and closes it.
    func open(_ file: URL) async throws {
        switch self {
        case .database:
            try await SQLiteStore(file: file, durability: .none, newIdentity: 7, codec: FieldJSON()).close()
        case .directory: try await SQLiteDirectory(file: file, durability: .none).close()
        }
    }
}

@Suite("Files of released versions")
struct ReleasedSchemaTests {
    private static func fresh(_ kind: FileKind) async throws -> String {
        try await withFolder { folder in
            let file = folder.appendingPathComponent("fresh.sqlite")
            try await kind.open(file)
            return try ReleasedSchema.dump(file)
        }
    }

    @Test(
        "Each released file is migrated to the present schema",
        arguments: try FileKind.released())
    func migrated(schema: ReleasedSchema) async throws {
        let kind = try #require(FileKind(rawValue: schema.kind))
        try await withFolder { folder in
            let file = folder.appendingPathComponent("old.sqlite")
            try schema.write(to: file)
            try await kind.open(file)
            #expect(try ReleasedSchema.dump(file) == (try await Self.fresh(kind)))
        }
    }

    /// Set `CLOUDLET_DUMP_SCHEMAS` to write the current schema with the next number.
    @Test("The present schema is the latest stored one", arguments: FileKind.allCases)
    func present(kind: FileKind) async throws {
        try ReleasedSchema.expectKept(try await Self.fresh(kind), kind.rawValue)
    }

    @Test(
        "A file of a newer version is refused and left unchanged", arguments: FileKind.allCases)
    func newer(kind: FileKind) async throws {
        try await withFolder { folder in
            let file = folder.appendingPathComponent("new.sqlite")
            try await kind.open(file)
            try ReleasedSchema.markAsNewer(file)
            let before = try ReleasedSchema.dump(file)
            let error = await #expect(throws: Records.RecordError.self) { try await kind.open(file) }
            #expect(error?.reason == "the database was written by a newer version of the server")
            #expect(error?.culprit == "new.sqlite")
            #expect(error?.nextStep?.isEmpty == false)
            #expect(try ReleasedSchema.dump(file) == before)
        }
    }
}
