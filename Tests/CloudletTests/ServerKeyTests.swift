import Cloudlet
import CloudletServer
import CloudletTesting
import Crypto
import Foundation
import Testing

@testable import TestKit

@Suite("Server keys", .timeLimit(.minutes(30)))
struct ServerKeyTests {
    @Test(
        "A server key gives access to the public database only, over HTTP and in process",
        arguments: [nil, 0])
    func administers(port: Int?) async throws {
        let world = try await CloudletWorld.start(port: port, access: .closed)
        try await world.server.apps.createContainer(Fixture.containerName)
        let pem = P256.Signing.PrivateKey().pemRepresentation
        let unnamed = try CloudServerKey(id: "", privateKey: pem)
        let id = try await world.server.apps.addServerKey(
            container: Fixture.containerName, label: "import", publicKey: unnamed.publicKey)
        func container(_ key: CloudServerKey) async throws -> CKContainer {
            var connection = try await world.connection(of: nil, on: "import server")
            if let url = world.server.url { connection.transport = HTTPTransport(url: url) }
            connection.serverKey = key
            connection.apiToken = "not sent beside a signature"
            return CKContainer(identifier: Fixture.containerName, connection: connection)
        }
        let ours = try await container(try CloudServerKey(id: id, privateKey: pem))
        let database = ours.publicCloudDatabase
        let saved = try await database.save(party("a"))
        saved["guests"] = 3
        try await database.save(saved)
        #expect(try await database.record(for: saved.recordID)["guests"] as? Int == 3)
        #expect(await code { try await ours.privateCloudDatabase.save(party("a")) } == .permissionFailure)
        #expect(try await ours.userRecordID() == saved.creatorUserRecordID)
        let other = P256.Signing.PrivateKey().pemRepresentation
        let forged = try await container(try CloudServerKey(id: id, privateKey: other))
        let refusal = await code { _ = try await forged.publicCloudDatabase.record(for: saved.recordID) }
        #expect(refusal == .notAuthenticated)
        await world.stop()
    }

    @Test("A server key changes and deletes people's public records, which keep their creators")
    func others() async throws {
        let world = try await CloudletWorld.start()
        let alice = try await world.container(Fixture.containerName, as: "alice", on: "phone")
        let hers = try await alice.publicCloudDatabase.save(party("b"))
        let unnamed = CloudServerKey.generate()
        let id = try await world.server.apps.addServerKey(
            container: Fixture.containerName, label: "import", publicKey: unnamed.publicKey)
        var connection = try await world.connection(of: nil, on: "import server")
        connection.serverKey = unnamed.named(id)
        let ours = CKContainer(identifier: Fixture.containerName, connection: connection)
        hers["guests"] = 4
        let changed = try await ours.publicCloudDatabase.save(hers)
        #expect(changed["guests"] as? Int == 4)
        let (owner, key) = (try await alice.userRecordID(), try await ours.userRecordID())
        #expect(changed.creatorUserRecordID?.recordName == owner.recordName)
        #expect(changed.lastModifiedUserRecordID?.recordName == key.recordName)
        try await ours.publicCloudDatabase.deleteRecord(withID: changed.recordID)
        let gone = await code { _ = try await alice.publicCloudDatabase.record(for: changed.recordID) }
        #expect(gone == .unknownItem)
        await world.stop()
    }

    @Test("A key file of openssl can be read, with or without curve parameters; other text cannot")
    func files() throws {
        let pem = P256.Signing.PrivateKey().pemRepresentation
        let parameters = "-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n"
        let folder = try URL.newFolder()
        defer { folder.remove() }
        let file = folder.appendingPathComponent("key.pem")
        for text in [pem, parameters + pem] {
            try Data(text.utf8).write(to: file)
            #expect(throws: Never.self) { try CloudServerKey(id: "k", privateKeyFile: file) }
        }
        let publicKey = try CloudServerKey(id: "k", privateKey: pem).publicKey
        for text in ["", "no key", publicKey] {
            let error = #expect(throws: CKError.self) { try CloudServerKey(id: "k", privateKey: text) }
            #expect(error?.code == .invalidArguments)
        }
        #expect(throws: CKError.self) {
            try CloudServerKey(id: "k", privateKeyFile: folder.appendingPathComponent("none.pem"))
        }
    }
}
