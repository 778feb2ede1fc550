import CloudKit
import CloudletServer
import CloudletTesting
import CoreLocation
import Foundation
import Records
import Synchronization
import Testing

@testable import Cloudlet
@testable import TestKit

@Suite("Encrypted values")
struct EncryptedValuesTests {
    private func recordWithSecrets() -> CKRecord {
        let record = party("a")
        let secrets = record.encryptedValues
        secrets["text"] = "top secret"
        secrets["number"] = 1_234_567
        secrets["half"] = 0.125
        secrets["when"] = Date(timeIntervalSince1970: 86_400)
        secrets["bytes"] = Data("hidden bytes".utf8)
        secrets["place"] = CLLocation(latitude: 48.25, longitude: 11.5)
        secrets["list"] = ["first secret", "second secret"]
        return record
    }

    private func expectAll(_ secrets: any CKRecordKeyValueSetting) {
        #expect(secrets["text"] == "top secret")
        #expect(secrets["number"] == 1_234_567)
        #expect(secrets["half"] == 0.125)
        #expect(secrets["when"] == Date(timeIntervalSince1970: 86_400))
        #expect(secrets["bytes"] == Data("hidden bytes".utf8))
        #expect((secrets["place"] as? CLLocation)?.coordinate.latitude == 48.25)
        #expect(secrets["list"] == ["first secret", "second secret"])
    }

    @Test("All devices of a person read encrypted values; requests and server files do not contain them")
    func endToEnd() async throws {
        try await withFixture { fixture in
            let bodies = Mutex("")
            var connection = fixture.alice.connection
            connection.transport = WatchedTransport(connection.transport) { request in
                if case .bytes(let bytes) = request.body {
                    bodies.withLock { $0 += String(decoding: bytes, as: UTF8.self) }
                }
            }
            let phone = CKContainer(identifier: Fixture.containerName, connection: connection)
            let record = recordWithSecrets()
            try await phone.privateCloudDatabase.save(record)
            #expect(record.encryptedValues.changedKeys().isEmpty)
            expectAll(record.encryptedValues)
            let sent = bodies.withLock { $0 }
            #expect(sent.contains("CKE1:"))
            for word in ["secret", "hidden", "1234567", "0.125", "48.25", "86400"] {
                #expect(!sent.contains(word), "\(word) is seen")
            }
            let copy = try await fixture.tablet.privateCloudDatabase.record(for: record.recordID)
            expectAll(copy.encryptedValues)
            #expect(copy["text"] == nil)
            #expect(copy.encryptedValues["name"] == nil)
            #expect(try filesContain("Party", below: fixture.folder))
            #expect(try !filesContain("top secret", below: fixture.folder))
            #expect(try !filesContain("hidden bytes", below: fixture.folder))
        }
    }

    private func filesContain(_ text: String, below folder: URL) throws -> Bool {
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        while let file = files?.nextObject() as? URL {
            guard let data = try? Data(contentsOf: file) else { continue }
            if data.range(of: Data(text.utf8)) != nil { return true }
        }
        return false
    }

    @Test("A device with another key reads the other fields and does not change the encrypted values")
    func anotherKey() async throws {
        try await withFixture { fixture in
            try await fixture.alice.privateCloudDatabase.save(recordWithSecrets())
            var connection = fixture.tablet.connection
            connection.encryptionKey = CloudEncryptionKey(Data("another key".utf8))
            let stranger = CKContainer(identifier: Fixture.containerName, connection: connection)
            let record = try await stranger.privateCloudDatabase.record(for: CKRecord.ID(recordName: "a"))
            #expect(record["name"] == "a")
            #expect(record.encryptedValues.allKeys().isEmpty)
            record["name"] = "b"
            _ = try await stranger.privateCloudDatabase.modifyRecords(
                saving: [record], deleting: [], savePolicy: .allKeys)
            let back = try await fixture.alice.privateCloudDatabase.record(for: record.recordID)
            #expect(back["name"] == "b")
            expectAll(back.encryptedValues)
        }
    }

    @Test("The server record of a conflict has decrypted values")
    func conflict() async throws {
        try await withFixture { fixture in
            let record = recordWithSecrets()
            try await fixture.alice.privateCloudDatabase.save(record)
            let other = try await fixture.tablet.privateCloudDatabase.record(for: record.recordID)
            other.encryptedValues["text"] = "newer"
            try await fixture.tablet.privateCloudDatabase.save(other)
            record.encryptedValues["text"] = "mine"
            do {
                try await fixture.alice.privateCloudDatabase.save(record)
                Issue.record("no conflict")
            } catch let error as CKError {
                #expect(error.serverRecord?.encryptedValues["text"] == "newer")
                #expect(error.clientRecord?.encryptedValues["text"] == "mine")
                #expect(error.ancestorRecord?.encryptedValues["text"] == "top secret")
            }
        }
    }

    @Test("Encryption is deterministic per record and field, and a value cannot be decrypted elsewhere")
    func places() throws {
        let cipher = FieldCipher(key: CloudEncryptionKey(Data("key".utf8)), container: "iCloud.test")
        let other = FieldCipher(key: CloudEncryptionKey(Data("key".utf8)), container: "iCloud.other")
        let id = CKRecord.ID(recordName: "a")
        let sealed = try cipher.seal(NSString(string: "x"), of: id, field: "f")
        #expect(try cipher.seal(NSString(string: "x"), of: id, field: "f") == sealed)
        #expect(try cipher.seal(NSString(string: "x"), of: id, field: "g") != sealed)
        func opens(_ cipher: FieldCipher, _ id: CKRecord.ID, _ field: String) -> Bool {
            if case .object(let object) = cipher.open(sealed, of: id, field: field) {
                object.isEqual(NSString(string: "x"))
            } else {
                false
            }
        }
        #expect(opens(cipher, id, "f"))
        #expect(!opens(cipher, id, "g"))
        #expect(!opens(cipher, CKRecord.ID(recordName: "b"), "f"))
        #expect(!opens(other, id, "f"))
        if case .unsealed = cipher.open(.string("plain"), of: id, field: "f") {
        } else {
            Issue.record("sealed")
        }
    }

    @Test("An asset or a reference that another participant encrypted is not decrypted")
    func foreignFiles() throws {
        let cipher = FieldCipher(key: CloudEncryptionKey(Data("key".utf8)), container: "iCloud.test")
        let id = CKRecord.ID(recordName: "a")
        let asset = CKAsset(fileURL: URL(fileURLWithPath: "/dev/zero"))
        let reference = CKRecord.Reference(recordID: id, action: .none)
        let values: [any __CKRecordObjCValue] = [asset, reference, NSArray(array: [asset])]
        for value in values {
            _ = try #require(ArchivedValue(value))
            let sealed = try cipher.seal(value, of: id, field: "f")
            if case .closed = cipher.open(sealed, of: id, field: "f") { continue }
            Issue.record("\(value) was decrypted")
        }
    }

    @Test("A key file is created once and only its owner can read it; a failure names the file")
    func keyFile() throws {
        let folder = URL.unused()
        defer { folder.remove() }
        let file = folder.appendingPathComponent("keys/encryption.key")
        let first = try CloudEncryptionKey(file: file).key(for: "c")
        #expect(try CloudEncryptionKey(file: file).key(for: "c") == first)
        #expect(try CloudEncryptionKey(file: file).key(for: "d") != first)
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        let nowhere = CloudEncryptionKey(file: URL(fileURLWithPath: "/dev/null/key"))
        let error = #expect(throws: CKError.self) { try nowhere.key(for: "c") }
        #expect(error?.code == .accountTemporarilyUnavailable)
        #expect(error?.localizedDescription.contains("/dev/null/key") == true)
    }

    @Test("An encrypted reference makes the save fail before anything is sent")
    func refused() async {
        let record = party("a")
        record.encryptedValues["parent"] = CKRecord.Reference(record: record, action: .none)
        let transport = ScriptedTransport()
        let error = await code { try await CKContainer.scripted(transport).privateCloudDatabase.save(record) }
        #expect(error == .invalidArguments)
        #expect(await transport.asked.isEmpty)
    }
}
