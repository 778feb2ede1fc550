// Tests which terms of a share a save sends, and which of them the device keeps.

import CloudKit
import CloudletTesting
import Foundation
import Records
import Testing

@testable import Cloudlet
@testable import TestKit

@Suite("Terms of shares")
struct ShareTermsTests {
    private static let zone = CKRecordZone.ID(zoneName: "Notes")

    private func participant(_ name: String) -> CKShareParticipant {
        CKShareParticipant(userRecordID: CKRecord.ID(recordName: name), permission: .readWrite)
    }

    /// The body that the next save of the share would send.
    private func draft(_ share: CKShare) throws -> ShareDraft {
        let (terms, saved) = share.sharing.withLock { ($0.terms, $0.saved) }
        return try ShareDraft(root: nil, terms, replacing: saved)
    }

    @Test("A save sends the permission and the people of a share only if they changed")
    func changes() async throws {
        try await withFixture { fixture in
            let bodies = Log()
            var connection = fixture.alice.connection
            connection.transport = WatchedTransport(connection.transport) { request in
                if case .bytes(let bytes) = request.body {
                    bodies.add(String(decoding: bytes, as: UTF8.self))
                }
            }
            let phone = CKContainer(identifier: Fixture.containerName, connection: connection)
            let share = try await fixture.world.share(party("root", zone: Self.zone), of: phone, with: [])
            func sent() -> [String] {
                let save = bodies.all.last { $0.contains("\"operations\"") }
                return ["participants", "publicPermission"].filter { save?.contains($0) == true }
            }
            #expect(sent() == ["participants", "publicPermission"])
            share[CKShare.SystemFieldKey.title] = "Alps"
            try await phone.privateCloudDatabase.save(share)
            #expect(sent() == [])
            share.addParticipant(participant("_0123456789abcdef0123456789abcdef"))
            try await phone.privateCloudDatabase.save(share)
            #expect(sent() == ["participants"])
            share.participants.last?.permission = .readOnly
            try await phone.privateCloudDatabase.save(share)
            #expect(sent() == ["participants"])
            #expect(share.participants.last?.permission == .readOnly)
        }
    }

    @Test("People who are added while a share is saved are sent with the next save")
    func meanwhile() throws {
        let share = CKShare(rootRecord: party("root", zone: Self.zone))
        let sent = share.sharing.withLock { $0.terms }
        share.addParticipant(participant("_bob"))
        let owner = Participant(
            id: "_alice", person: "_alice", role: .owner, permission: .readWrite, acceptance: .accepted)
        let saved = Share(root: "root", shortGUID: "g", participants: [owner])
        share.adopt(saved, sent: sent)
        #expect(share.participants.count == 2)
        let next = try draft(share)
        #expect(next.participants?.count == 2)
        #expect(next.publicPermission == nil)
        let now = share.sharing.withLock { $0.terms }
        share.adopt(saved, sent: now)
        #expect(share.participants.map(\.role) == [.owner])
        #expect(try draft(share).participants == nil)
    }

    @Test("A participant of one share cannot be added to another")
    func anotherShare() throws {
        let root = party("b", zone: Self.zone)
        let (one, two) = (CKShare(rootRecord: party("a", zone: Self.zone)), CKShare(rootRecord: root))
        let bob = participant("_bob")
        one.addParticipant(bob)
        one.removeParticipant(bob)
        one.addParticipant(bob)
        two.addParticipant(bob)
        #expect(one.participants.count == 2)
        #expect(two.participants.count == 1)
        let error = #expect(throws: CKError.self) {
            try two.check(savedWith: [root, two], in: .private, Limits())
        }
        #expect(error?.code == .invalidArguments)
        #expect(error?.localizedDescription.contains("another share") == true)
    }

    @Test("A conflict has the server's share and the terms that the changes are based on")
    func conflict() async throws {
        try await withFixture { fixture in
            let share = try await fixture.world.share(
                party("root", zone: Self.zone), of: fixture.alice, with: [fixture.bob])
            let tablet = fixture.tablet.privateCloudDatabase
            let other = try #require(try await tablet.record(for: share.recordID) as? CKShare)
            other.participants.last?.permission = .readOnly
            try await tablet.save(other)
            share.removeParticipant(try #require(share.participants.last))
            do {
                try await fixture.alice.privateCloudDatabase.save(share)
                Issue.record("no conflict")
            } catch let error as CKError {
                let server = try #require(error.serverRecord as? CKShare)
                #expect(server.participants.last?.permission == .readOnly)
                let ancestor = try #require(error.ancestorRecord as? CKShare)
                #expect(ancestor.participants.map(\.permission) == [.readWrite, .readWrite])
                #expect((error.clientRecord as? CKShare)?.participants.count == 1)
            }
        }
    }

    @Test("A long-lived save keeps the terms of shares when another process continues it")
    func longLived() throws {
        let root = party("root", zone: Self.zone)
        let share = CKShare(rootRecord: root)
        share.addParticipant(participant("_bob"))
        let operation = CKModifyRecordsOperation(recordsToSave: [root, share])
        let plain = try #require(ArchivedOperation(operation))
        let bytes = try JSONEncoder().encode(plain)
        let read = try JSONDecoder().decode(ArchivedOperation.self, from: bytes).operation
        let records = try #require((read as? CKModifyRecordsOperation)?.recordsToSave)
        #expect(records.map { $0 is CKShare } == [false, true])
        #expect((records.last as? CKShare)?.participants == share.participants)
        #expect(records.first?.share?.recordID == share.recordID)
    }
}
