import Foundation
import GRDB
import Records
import Testing

@testable import LocalReplica
@testable import TestKit

@Suite("The local replica", .timeLimit(.minutes(30)))
struct LocalReplicaTests {
    let id = RecordID(name: "n1", zone: "Notes")

    static func replica() throws -> LocalReplica {
        try LocalReplica(inMemoryWithFiles: .unused())
    }

    func note(_ text: String) -> ReplicaRecord {
        var note = ReplicaRecord(type: "Note", id: id)
        note[field: "text"] = .string(text)
        return note
    }

    func version(_ text: String, tag: String) -> ServerVersion {
        ServerVersion(
            id: id, type: "Note", tag: tag, systemFields: Data([1]), fields: ["text": Field(.string(text))])
    }

    func pending(_ replica: LocalReplica) async throws -> [String] {
        try await replica.read { try $0.pendingChanges() }.map { "\($0.kind) \($0.id.name) \($0.edits)" }
    }

    @Test("An edit and its outbox entry are both stored after the file was closed")
    func edits() async throws {
        let folder = URL.unused()
        defer { folder.remove() }
        let note = note("a")
        let first = try LocalReplica(folder: folder)
        try await first.write { try $0.save(note) }
        try first.close()
        let second = try LocalReplica(folder: folder)
        #expect(try await second.read { try $0.records(ofType: "Note", in: "Notes") } == [note])
        #expect(try await pending(second) == ["create n1 1"])
        try second.close()
    }

    @Test("Only the records whose names have the prefix are found")
    func namePrefix() async throws {
        let replica = try Self.replica()
        let names = ["n1", "n1.", "n1.phone", "n1.\u{1F921}", "n1/x", "n10.phone", "N1.phone"]
        try await replica.write { writer in
            for name in names {
                try writer.save(ReplicaRecord(type: "Edit", id: RecordID(name: name, zone: "Notes")))
                try writer.save(ReplicaRecord(type: "Edit", id: RecordID(name: name, zone: "Other")))
            }
            try writer.save(ReplicaRecord(type: "Note", id: RecordID(name: "n1.note", zone: "Notes")))
        }
        let found = try await replica.read {
            try $0.records(ofType: "Edit", in: ZoneID(name: "Notes"), namePrefix: "n1.")
        }
        #expect(found.map(\.id.name) == ["n1.", "n1.phone", "n1.\u{1F921}"])
    }

    @Test("Each storage error has its own next step")
    func storageErrors() {
        let codes: [ResultCode] = [
            .SQLITE_FULL, .SQLITE_BUSY, .SQLITE_CORRUPT, .SQLITE_READONLY, .SQLITE_IOERR, .SQLITE_NOMEM,
            .SQLITE_INTERRUPT, .SQLITE_ERROR, .SQLITE_FORMAT,
        ]
        let errors = codes.map { ReplicaError(storage: DatabaseError(resultCode: $0, message: "no"), "file") }
        #expect(Set(errors.map(\.nextStep)).count == codes.count)
        #expect(errors.filter { $0.code == .damaged }.count == 1)
        #expect(
            errors[0].description == "file: no - free space on the disk")
        struct Refused: Error {}
        #expect(ReplicaError(storage: Refused(), "file").nextStep.contains("can be written to"))
        #expect(ReplicaError(storage: errors[2], "other") == errors[2])
    }

    @Test("A failed transaction changes nothing")
    func atomic() async throws {
        let replica = try Self.replica()
        let note = note("a")
        struct Stop: Error {}
        await #expect(throws: Stop.self) {
            try await replica.write { writer in
                try writer.save(note)
                throw Stop()
            }
        }
        #expect(try await replica.read { try $0.count(in: "Notes") } == 0)
        #expect(try await pending(replica) == [])
    }

    @Test("A transaction is flushed to the disk when it commits")
    func flushed() async throws {
        try await withFolder { folder in
            let pool = try LocalReplica.open(folder.appendingPathComponent("replica.sqlite"))
            let level = try pool.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA synchronous") }
            #expect(level == 2)
        }
    }

    @Test("A rollback to a savepoint needs no temporary file")
    func temporaryData() async throws {
        try await withFolder { folder in
            let pool = try LocalReplica.open(folder.appendingPathComponent("replica.sqlite"))
            let store = try pool.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA temp_store") }
            // 2: in memory.
            #expect(store == 2)
        }
    }

    @Test("Saving an unchanged record is not an edit")
    func unchanged() async throws {
        let replica = try Self.replica()
        let note = note("a")
        for _ in 0..<3 { try await replica.write { try $0.save(note) } }
        #expect(try await pending(replica) == ["create n1 1"])
    }

    @Test("An edit made while an earlier one is being sent stays pending after the answer")
    func editDuringUpload() async throws {
        let replica = try Self.replica()
        let (first, second, id) = (note("a"), note("b"), id)
        let answer = version("a", tag: "1")
        try await replica.write { try $0.save(first) }
        let sent = try await replica.write { writer in
            let rows = try writer.reader.sendable(limit: 10)
            try writer.markSent(rows)
            return rows[0]
        }
        try await replica.write { try $0.save(second) }
        try await replica.write { try $0.storeSaved(sent, as: answer) }
        #expect(try await pending(replica) == ["update n1 2"])
        let row = try await replica.read { try $0.row(id) }
        #expect(row?.fields == second.fields)
        #expect(row?.serverFields == first.fields)
        #expect(row?.tag == "1")
    }

    @Test("After the last edit is acknowledged nothing is pending, and no second copy is stored")
    func settled() async throws {
        let replica = try Self.replica()
        let (note, answer, id) = (note("a"), version("a", tag: "1"), id)
        try await replica.write { writer in
            try writer.save(note)
            let rows = try writer.reader.sendable(limit: 10)
            try writer.markSent(rows)
            try writer.storeSaved(rows[0], as: answer)
        }
        #expect(try await pending(replica) == [])
        #expect(try await replica.read { try $0.row(id)?.serverFields } == note.fields)
        let hasCopy = try await replica.read { reader in
            try Bool.fetchOne(reader.database, sql: "SELECT server_fields IS NOT NULL FROM record")
        }
        #expect(hasCopy == false)
    }

    @Test("Deleting an unsent record removes it; deleting a sent one adds a deletion to the outbox")
    func deletes() async throws {
        let replica = try Self.replica()
        let (note, answer, id) = (note("a"), version("a", tag: "1"), id)
        try await replica.write { writer in
            try writer.save(note)
            try writer.delete(id)
        }
        #expect(try await pending(replica) == [])
        try await replica.write { writer in
            try writer.replace(with: [answer], in: "Notes")
            try writer.delete(id)
            try writer.delete(id)
        }
        #expect(try await pending(replica) == ["delete n1 1"])
        #expect(try await replica.read { try $0.record(id) } == nil)
        // The record was created again before the deletion was sent, so this is an update.
        try await replica.write { try $0.save(note) }
        #expect(try await pending(replica) == ["update n1 2"])
    }

    @Test("Deleting a record whose save was not answered adds a deletion to the outbox")
    func deletesSent() async throws {
        let replica = try Self.replica()
        let (note, id) = (note("a"), id)
        try await replica.write { writer in
            try writer.save(note)
            try writer.markSent(try writer.reader.sendable(limit: 10))
            try writer.delete(id)
        }
        #expect(try await pending(replica) == ["delete n1 2"])
    }

    @Test("Every kind of value is read as it was saved, and an edit of one field keeps the others")
    func values() async throws {
        let replica = try Self.replica()
        var record = ReplicaRecord(type: "Thing", id: RecordID(name: "t", zone: "Things"))
        record[field: "text"] = "Zoë \u{1F921}\n\"quoted\""
        record[field: "integer"] = .int64(.min)
        record[field: "real"] = .double(0.1)
        record[field: "date"] = .timestamp(Timestamp(Date(timeIntervalSince1970: 1_401_710_400.123)))
        record[field: "data"] = .bytes([0, 255])
        record[field: "reference"] = .reference(Reference(recordName: "p", action: .deleteSelf))
        record[field: "location"] = .location(Location(latitude: 37.5, longitude: -122.25))
        record[field: "list"] = .list(.string, ["a", "b"])
        record[field: "file"] = .asset(Asset(fileChecksum: "c", size: 3))
        record[field: "secret"] = "s"
        record.encrypt("secret")
        let saved = record
        try await replica.write { try $0.save(saved) }
        let found = try #require(try await replica.read { try $0.record(saved.id) })
        #expect(found == saved)
        #expect(found[field: "secret"] == "s")
        #expect(found.fields["secret"]?.isEncrypted == true)
        #expect(found[field: "date"] == saved[field: "date"])
        var changed = found
        changed[field: "text"] = "new"
        let edited = changed
        try await replica.write { try $0.save(edited) }
        let kept = try #require(try await replica.read { try $0.record(saved.id) })
        #expect(kept.fields["text"]?.value == .string("new"))
        #expect(kept.keys == saved.keys)
        for key in saved.keys where key != "text" {
            #expect(kept.fields[key] == saved.fields[key], "\(key)")
        }
    }

    @Test("An observer gets the current state and each later one")
    func observes() async throws {
        let replica = try Self.replica()
        let (first, second) = (note("a"), note("b"))
        var counts = replica.observe {
            try $0.records(ofType: "Note", in: "Notes").map { $0[field: "text"] as String? }
        }
        .makeAsyncIterator()
        #expect(try await counts.next() == [])
        try await replica.write { try $0.save(first) }
        #expect(try await counts.next() == ["a"])
        try await replica.write { try $0.save(second) }
        #expect(try await counts.next() == ["b"])
    }

    @Test("Equal files are stored once, and removed when no record refers to them")
    func files() async throws {
        let folder = try URL.newFolder()
        defer { folder.remove() }
        let replica = try LocalReplica(inMemoryWithFiles: folder.appendingPathComponent("files"))
        let (one, two) = (folder.appendingPathComponent("1"), folder.appendingPathComponent("2"))
        try Data("clown".utf8).write(to: one)
        try Data("clown".utf8).write(to: two)
        let asset = try replica.keepFile(at: one)
        #expect(try replica.keepFile(at: two) == asset)
        let stored = try FileManager.default.contentsOfDirectory(
            atPath: folder.appendingPathComponent("files").path)
        #expect(stored.count == 1)
        var receipt = ReplicaRecord(type: "Receipt", id: RecordID(name: "r", zone: "Receipts"))
        receipt[field: "photo"] = .asset(asset)
        let saved = receipt
        try await replica.write { try $0.save(saved) }
        try await replica.removeUnusedFiles()
        let file = try #require(replica.file(of: asset))
        #expect(try Data(contentsOf: file) == Data("clown".utf8))
        try await replica.write { try $0.delete(saved.id) }
        try await replica.removeUnusedFiles()
        #expect(replica.file(of: asset) == nil)
        #expect(throws: ReplicaError.self) { try replica.keepFile(at: folder.appendingPathComponent("none")) }
    }

    @Test(
        "Extreme and invalid dates are stored, also as the time of a conflict",
        arguments: [Double.infinity, -.infinity, .nan, 1e300, -1e300, Double(Int64.max) / 1000])
    func extremeDates(seconds: Double) async throws {
        let replica = try Self.replica()
        let date = Date(timeIntervalSince1970: seconds)
        var dated = note("a")
        dated[field: "at"] = .timestamp(Timestamp(date))
        let saved = dated
        try await replica.write { writer in
            try writer.save(saved)
            try writer.addConflict(saved.id, type: "Note", summary: "merged", fields: "", at: date)
        }
        let end = Timestamp(milliseconds: seconds < 0 ? .min : .max).date
        let kept = try #require(try await replica.read { try $0.record(saved.id) })
        #expect(kept[field: "at"] == .timestamp(Timestamp(end)))
        // Setting a value that was read does not change the record.
        try await replica.write { try $0.save(kept) }
        #expect(try await replica.read { try $0.record(saved.id) } == kept)
        #expect(try await replica.read { try $0.conflicts() }.count == 1)
    }

    @Test("A page and its token are both stored, or neither")
    func pages() async throws {
        let replica = try Self.replica()
        let (version, id) = (version("a", tag: "1"), id)
        struct Stop: Error {}
        await #expect(throws: Stop.self) {
            try await replica.write { writer in
                try writer.replace(with: [version], in: "Notes")
                try writer.setToken(Data([6]), of: "Notes", moreComing: true)
                throw Stop()
            }
        }
        #expect(try await replica.read { try $0.record(id) } == nil)
        #expect(try await replica.read { try $0.token(of: "Notes") } == nil)
        try await replica.write { writer in
            try writer.replace(with: [version], in: "Notes")
            try writer.setToken(Data([7]), of: "Notes", moreComing: true)
        }
        #expect(try await replica.read { try $0.record(id)?.fields } == version.fields)
        #expect(try await replica.read { try $0.token(of: "Notes") } == Data([7]))
        #expect(try await replica.read { try $0.zones()[0].isStale })
        try await replica.write { try $0.setToken(Data([8]), of: "Notes", moreComing: false) }
        #expect(try await !replica.read { try $0.zones()[0].isStale })
    }

    @Test("Deferred records are not sent and do not determine the zone, unless their batch is unanswered")
    func deferred() async throws {
        let replica = try Self.replica()
        let (first, id) = (note("a"), id)
        var other = ReplicaRecord(type: "Note", id: RecordID(name: "n1", zone: "Elsewhere"))
        other[field: "text"] = "b"
        let second = other
        try await replica.write { writer in
            try writer.save(first)
            try writer.save(second)
        }
        let rows = try await replica.read { try $0.sendable(limit: 9, except: [id]) }
        #expect(rows.map(\.id) == [second.id])
        #expect(try await replica.read { try $0.sendableCount(except: [id]) } == 1)
        #expect(try await replica.read { try $0.sendableCount(except: [id, second.id]) } == 0)
        try await replica.write { try $0.markSent(try $0.reader.sendable(limit: 9)) }
        let unanswered = try await replica.read { try $0.sendable(limit: 9, except: [id]) }
        #expect(unanswered.map(\.id) == [id])
    }
}
