import CloudKit
import CloudletTesting
import Foundation
import Testing

@testable import Cloudlet

@Suite("Shares")
struct SharingTests {
    private static let zone = CKRecordZone.ID(zoneName: "Parties")

    private func root() -> CKRecord { party("a", zone: Self.zone) }

    private func participant(
        _ email: String, _ permission: CKShare.ParticipantPermission = .readWrite
    )
        -> CKShare.Participant
    {
        let identity = ArchivedIdentity(lookup: .email(email))
        let participant = CKShare.Participant(ArchivedParticipant(id: email, identity: identity))
        participant.permission = permission
        return participant
    }

    @Test("A new share is in the zone of its record, which refers to it at once (N36)")
    func hierarchy() {
        let root = root()
        let share = CKShare(rootRecord: root)
        #expect(share.recordType == CKRecord.SystemType.share)
        #expect(share.recordID.zoneID == Self.zone)
        #expect(root.share?.recordID == share.recordID)
        #expect(share.publicPermission == .none)
        #expect(share.url == nil)
        #expect(share.participants == [share.owner])
        #expect(share.owner.role == .owner)
        #expect(share.owner.acceptanceStatus == .accepted)
        #expect(share.currentUserParticipant == share.owner)
        #expect(CKShare(recordZoneID: Self.zone).recordID.recordName == CKRecordNameZoneWideShare)
    }

    @Test("Making a share public removes pending invitations; closing it removes all but the owner")
    func publicPermission() {
        let share = CKShare(rootRecord: root())
        share.addParticipant(participant("bob@example.com"))
        #expect(share.participants.count == 2)
        share.publicPermission = .readOnly
        #expect(share.participants == [share.owner])
        share.publicPermission = .none
        share.addParticipant(participant("bob@example.com"))
        share.addParticipant(participant("bob@example.com", .readOnly))
        #expect(share.participants.map(\.permission) == [.readWrite, .readOnly])
        share.removeParticipant(participant("bob@example.com"))
        #expect(share.participants == [share.owner])
    }

    @Test("Participants are equal by ID, user record or lookup info, whatever their permissions")
    func equality() {
        #expect(participant("a@x.org") == participant("a@x.org", .readOnly))
        #expect(participant("a@x.org") != participant("b@x.org"))
        #expect(CKShare.Participant.oneTimeURLParticipant() != CKShare.Participant.oneTimeURLParticipant())
        let one = CKShare.Participant.oneTimeURLParticipant()
        #expect(one.role == .privateUser)
        #expect(one.permission == .readOnly)
        #expect(one.userIdentity.nameComponents == nil)
        #expect(CKShare(rootRecord: root()).oneTimeURL(for: one.participantID) == nil)
        one.type = .publicUser
        #expect(one.role == .publicUser)
    }

    @Test("Archives and copies of a share keep its participants, fields and class")
    func archives() throws {
        let share = CKShare(rootRecord: root())
        share[CKShare.SystemFieldKey.title] = "Coffee"
        share.addParticipant(participant("bob@example.com"))
        share.allowsAccessRequests = true
        let copy = try #require(share.copy() as? CKShare)
        copy.owner.permission = .readOnly
        #expect(share.owner.permission == .readWrite)
        let metadata = CKShare.Metadata(
            containerIdentifier: "iCloud.test", share: share, root: root(), own: participant("me@x.org"))
        let data = try NSKeyedArchiver.archivedData(withRootObject: metadata, requiringSecureCoding: true)
        let back = try #require(
            try NSKeyedUnarchiver.unarchivedObject(ofClass: CKShare.Metadata.self, from: data))
        #expect(back == metadata)
        #expect(back.share[CKShare.SystemFieldKey.title] == "Coffee")
        #expect(back.share.participants == share.participants)
        #expect(back.share.allowsAccessRequests)
        #expect(back.rootRecord?["name"] == "a")
        #expect(back.rootRecordID == back.hierarchicalRootRecordID)
        #expect(back.participantPermission == .readWrite)
        #expect(back.participantType == .privateUser)
    }

    @Test("Requesters can be blocked and unblocked")
    func requesters() throws {
        let share = CKShare(rootRecord: root())
        let asker = CKShare.AccessRequester(ArchivedIdentity(lookup: .email("eve@x.org")))
        share.sharing.withLock { $0.requesters = [asker] }
        #expect(share.requesters.first?.participantLookupInfo.emailAddress == "eve@x.org")
        share.blockRequesters([asker])
        #expect(share.requesters.isEmpty)
        #expect(share.blockedIdentities.map(\.userIdentity.lookupInfo?.emailAddress) == ["eve@x.org"])
        share.unblockIdentities(share.blockedIdentities)
        #expect(share.blockedIdentities.isEmpty)
    }

    private func failure(
        _ records: [CKRecord], _ database: (CKContainer) -> CKDatabase = { $0.privateCloudDatabase }
    ) async throws -> CKError? {
        let transport = ScriptedTransport()
        let (saves, _) = try await database(.scripted(transport)).modifyRecords(saving: records, deleting: [])
        #expect(await transport.asked.isEmpty)
        let share = records.first { $0 is CKShare }
        return share.flatMap { saves[$0.recordID] }?.error as? CKError
    }

    @Test("A share that no server would accept fails without a request")
    func refusals() async throws {
        let root = root()
        let share = CKShare(rootRecord: root)
        #expect(try await failure([share])?.code == .invalidArguments)
        #expect(try await failure([root, share], { $0.publicCloudDatabase })?.code == .badDatabase)
        let misplaced = party("b")
        #expect(try await failure([misplaced, CKShare(rootRecord: misplaced)])?.code == .invalidArguments)
        for number in 1...100 { share.addParticipant(participant("\(number)@x.org")) }
        #expect(try await failure([root, share])?.code == .tooManyParticipants)
        share.removeParticipant(share.owner)
        #expect(try await failure([root, share])?.localizedDescription.contains("owner") == true)
    }

    @Test("Looking up a person by address gives a participant, with or without an account (N38)")
    func participants() async throws {
        try await withFixture { fixture in
            try await fixture.world.setAccount("bob", email: "bob@example.com", givenName: "Bob")
            _ = try await fixture.bob.requestApplicationPermission(.userDiscoverability)
            let bob = try await fixture.alice.shareParticipant(forEmailAddress: "bob@example.com")
            #expect(bob.userIdentity.hasiCloudAccount)
            #expect(bob.acceptanceStatus == .pending)
            let found = try await fixture.alice.shareParticipants(forEmailAddresses: ["no@example.com"])
            let nobody = try #require(try found["no@example.com"]?.get())
            #expect(!nobody.userIdentity.hasiCloudAccount)
            #expect(nobody.userIdentity.lookupInfo?.emailAddress == "no@example.com")
            let id = CKRecord.ID(recordName: "_nobody")
            #expect(
                await code { _ = try await fixture.alice.shareParticipant(forUserRecordID: id) }
                    == .unknownItem)
        }
    }

    @Test("Share operations report each URL to result blocks and older blocks")
    func operations() async throws {
        try await withFixture { fixture in
            let url = try #require(URL(string: "https://example.com/share/x"))
            let unknown = await code { _ = try await fixture.alice.shareMetadata(for: url) }
            #expect(unknown == .unknownItem)
            let share = CKShare(rootRecord: self.root())
            let metadata = CKShare.Metadata(
                containerIdentifier: "iCloud.test", share: share, root: nil, own: share.owner)
            let own = await code { try await fixture.alice.accept(metadata) }
            #expect(own == .invalidArguments)
            let signedOut = await code { try await fixture.nobody.accept(metadata) }
            #expect(signedOut == .notAuthenticated)
            let log = Log()
            let older = CKFetchShareMetadataOperation(shareURLs: [url])
            older.perShareMetadataBlock = { url, _, error in log.add("\(url.path) \(error.code)") }
            older.fetchShareMetadataCompletionBlock = { error in
                let parts = (error as? CKError)?.partialErrorsByItemID
                log.add("end \(error.code) \(parts?[url] is CKError)")
            }
            let request = CKShareRequestAccessOperation(shareURLs: [url])
            request.perShareAccessRequestResultBlock = { log.add("request \($1.code) \($0.path)") }
            request.shareAccessRequestResultBlock = { log.add("end \($0.code)") }
            for operation in [older, request] {
                operation.container = fixture.alice
                await operation.run()
            }
            #expect(
                log.all == [
                    "/share/x 11", "end 2 true", "request 11 /share/x", "end 0",
                ])
        }
    }
}
