import Directory
import DirectorySQLite
import Foundation
import Records
import SQLiteSupport
import Testing

@testable import TestKit

@Suite("The file of a directory")
struct FileTests {
    /// A directory with a person, a session, a device, a token and a schema.
    private func fill(_ directory: any Directory) async throws {
        let anna = try await directory.addUser("anna", email: "a@example.org", password: "secret")
        try await directory.signIn(1, anna)
        try await directory.addDevice("x", of: "anna", session: 1)
        try await directory.addDevice("y", of: "anna")
        let token = APIToken(
            id: "1", container: "c", environment: .development, label: "", created: time(0))
        try await directory.add(token, hash: [1])
        try await directory.save([.users], of: "c", in: .development)
        _ = try await directory.addContainer("c", at: time(1))
    }

    @Test("The data is unchanged when the file is opened again")
    func reopened() async throws {
        try await withFolder { folder in
            let file = folder.appendingPathComponent("directory.sqlite")
            let first = try SQLiteDirectory(file: file)
            try await fill(first)
            let state = try await first.state()
            try await first.close()
            let second = try SQLiteDirectory(file: file)
            #expect(try await second.state() == state)
            #expect(try await second.hasSession([1]))
            try await second.close()
        }
    }

    @Test("A restored file has no sessions and devices, and all other data unchanged")
    func restored() async throws {
        try await withFolder { folder in
            let file = folder.appendingPathComponent("directory.sqlite")
            let first = try SQLiteDirectory(file: file)
            try await fill(first)
            let state = try await first.state()
            try await first.close()
            try SQLiteDirectory.endSessions(in: file)
            let second = try SQLiteDirectory(file: file)
            #expect(try await second.state() == state.filter { !$0.hasPrefix("device") })
            #expect(try await second.hasSession([1]) == false)
            try await second.close()
        }
    }

    @Test("A copy of a file in use is intact, and a file that is not a database is refused")
    func copied() async throws {
        try await withFolder { folder in
            let file = folder.appendingPathComponent("directory.sqlite")
            let copy = folder.appendingPathComponent("copy.sqlite")
            let directory = try SQLiteDirectory(file: file)
            try await fill(directory)
            let source = try SQLiteFile(file)
            try source.copy(to: copy)
            try source.close()
            let checked = try SQLiteFile(copy)
            #expect(try SQLiteDirectory.faults(of: checked) == [])
            try checked.close()
            let second = try SQLiteDirectory(file: copy)
            #expect(try await second.state() == (try await directory.state()))
            for opened in [directory, second] { try await opened.close() }
            let other = folder.appendingPathComponent("other.sqlite")
            try Data("not a database at all, but long enough to be read as one".utf8).write(to: other)
            #expect(throws: RecordError.self) { _ = try SQLiteFile(other) }
        }
    }
}
