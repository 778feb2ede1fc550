import Foundation
import Records
import Testing

@testable import LocalReplica
@testable import TestKit

@Suite("Encrypted fields of a replica")
struct EncryptedFieldTests {
    private static let id = RecordID(name: "n", zone: "Notes")

    private static func version(_ secret: Field, tag: String) -> ServerVersion {
        ServerVersion(id: id, type: "Note", tag: tag, systemFields: Data(), fields: ["secret": secret])
    }

    @Test("A field that the server no longer marks as encrypted is encrypted again by the next edit")
    func unmarked() async throws {
        try await withFolder { folder in
            let replica = try LocalReplica(folder: folder)
            let marked = Self.version(Field(.string("a"), isEncrypted: true), tag: "1")
            let plain = Self.version(Field(.string("b")), tag: "2")
            try await replica.write { try $0.replace(with: [marked], in: "Notes") }
            try await replica.write { try $0.replace(with: [plain], in: "Notes") }
            let taken = try await replica.read { try $0.record(Self.id) }
            var note = try #require(taken)
            #expect(note.fields["secret"]?.isEncrypted == false)
            note[field: "secret"] = "mended"
            let edited = note
            try await replica.write { try $0.save(edited) }
            let saved = try #require(try await replica.read { try $0.record(Self.id) })
            #expect(saved.fields["secret"] == Field(.string("mended"), isEncrypted: true))
            try replica.close()
        }
    }

    @Test("A field that was removed and set again is encrypted as before, and so is that of another record")
    func setAgain() async throws {
        try await withFolder { folder in
            let replica = try LocalReplica(folder: folder)
            var note = ReplicaRecord(type: "Note", id: Self.id)
            note[field: "secret"] = "a"
            note.encrypt("secret")
            let first = note
            try await replica.write { try $0.save(first) }
            note.fields["secret"] = nil
            let without = note
            try await replica.write { try $0.save(without) }
            note[field: "secret"] = "b"
            let again = note
            var other = ReplicaRecord(type: "Note", id: RecordID(name: "o", zone: "Notes"))
            other[field: "secret"] = "c"
            var party = ReplicaRecord(type: "Party", id: RecordID(name: "p", zone: "Notes"))
            party[field: "secret"] = "none"
            let others = [other, party]
            try await replica.write { writer in for record in [again] + others { try writer.save(record) } }
            let flags = try await replica.read { reader in
                try ["n", "o", "p"].map { name in
                    try reader.record(RecordID(name: name, zone: "Notes"))?.fields["secret"]?.isEncrypted
                }
            }
            #expect(flags == [true, true, false])
            try replica.close()
        }
    }
}
