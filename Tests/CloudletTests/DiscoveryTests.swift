import Cloudlet
import CloudletServer
import CloudletTesting
import Foundation
import RecordsWire
import Synchronization
import Testing

@Suite("Finding people")
struct DiscoveryTests {
    /// Runs the body with Bob, who has an email address, a phone number and a name.
    private func withBob(_ body: (Fixture, _ bob: CKRecord.ID) async throws -> Void) async throws {
        try await withFixture { fixture in
            try await fixture.world.setAccount(
                "bob", email: "bob@example.org", phone: "+442079460018", givenName: "Bob",
                familyName: "Clown")
            try await body(fixture, try await fixture.bob.userRecordID())
        }
    }

    @Test("A person is asked for the permission once, and the answer is stored")
    func permission() async throws {
        try await withBob { fixture, _ in
            let wanted: CKContainer.ApplicationPermissions = .userDiscoverability
            #expect(try await fixture.alice.applicationPermissionStatus(for: wanted) == .initialState)
            fixture.world.grantsPermissions = false
            #expect(try await fixture.alice.requestApplicationPermission(wanted) == .denied)
            fixture.world.grantsPermissions = true
            #expect(try await fixture.alice.requestApplicationPermission(wanted) == .denied)
            #expect(try await fixture.tablet.applicationPermissionStatus(for: wanted) == .denied)
            #expect(try await fixture.bob.requestApplicationPermission(wanted) == .granted)
            try await fixture.alice.connection.setUserDiscoverability(
                true, inContainer: Fixture.containerName)
            #expect(try await fixture.tablet.applicationPermissionStatus(for: wanted) == .granted)
            let nobody = await code { _ = try await fixture.nobody.requestApplicationPermission(wanted) }
            #expect(nobody == .notAuthenticated)
            var connection = try await fixture.world.connection(of: "carol")
            connection.permissionPrompt = nil
            let container = CKContainer(identifier: Fixture.containerName, connection: connection)
            let unasked = await code { _ = try await container.requestApplicationPermission(wanted) }
            #expect(unasked == .permissionFailure)
        }
    }

    @Test("A person can be found in every way after they agree, and in none before")
    func everyWay() async throws {
        try await withBob { fixture, bob in
            let alice = fixture.alice
            func found() async throws -> [CKUserIdentity?] {
                [
                    try await alice.userIdentity(forEmailAddress: "Bob@example.org"),
                    try await alice.userIdentity(forPhoneNumber: "+44 20 7946 0018"),
                    try await alice.userIdentity(forUserRecordID: bob),
                    try await alice.userIdentities(forEmailAddresses: ["bob@example.org", "x@y.z"])
                        .values.first,
                    try await alice.userIdentities(forPhoneNumbers: ["+442079460018", "1"]).values.first,
                    try await alice.userIdentities(forUserRecordIDs: [bob]).values.first,
                ]
            }
            #expect(try await found() == Array(repeating: nil, count: 6))
            _ = try await fixture.bob.requestApplicationPermission(.userDiscoverability)
            for identity in try await found() {
                #expect(identity?.userRecordID == bob)
                #expect(identity?.nameComponents?.givenName == "Bob")
                #expect(identity?.nameComponents?.familyName == "Clown")
                #expect(identity?.hasiCloudAccount == true)
            }
            #expect(try await found()[0]?.lookupInfo?.emailAddress == "Bob@example.org")
            #expect(try await alice.userIdentity(forEmailAddress: "nobody") == nil)
            let asNobody = await code { _ = try await fixture.nobody.userIdentity(forUserRecordID: bob) }
            #expect(asNobody == .notAuthenticated)
        }
    }

    @Test("The address book finds people who agreed, each once, and no address leaves the device")
    func addressBook() async throws {
        try await withBob { fixture, bob in
            _ = try await fixture.bob.requestApplicationPermission(.userDiscoverability)
            fixture.world.setAddressBook(
                [
                    CloudContact(
                        identifier: "c1", emailAddresses: ["bob@example.org", "dora@example.org"],
                        phoneNumbers: ["+442079460018"]),
                    CloudContact(identifier: "c2", phoneNumbers: ["+44 20 79460018", "not a number"]),
                    CloudContact(identifier: "c3", emailAddresses: ["carol@example.org"]),
                ], of: "alice")
            let recording = RecordingTransport(fixture.alice.connection.transport)
            var connection = fixture.alice.connection
            connection.transport = recording
            let alice = CKContainer(identifier: Fixture.containerName, connection: connection)
            let identities = try await alice.allUserIdentitiesFromContacts()
            #expect(identities.map(\.userRecordID) == [bob])
            #expect(identities.first?.contactIdentifiers == ["c1", "c2"])
            #expect(identities.first?.lookupInfo == nil)
            #expect(!recording.text.isEmpty)
            for secret in ["example.org", "79460018"] { #expect(!recording.text.contains(secret)) }
            #expect(try await fixture.bob.allUserIdentitiesFromContacts() == [])
        }
    }

    @Test("Operations find several people and report each with the lookup info that matched")
    func operations() async throws {
        try await withBob { fixture, bob in
            _ = try await fixture.bob.requestApplicationPermission(.userDiscoverability)
            fixture.world.setAddressBook(
                [CloudContact(identifier: "c1", emailAddresses: ["bob@example.org"])], of: "alice")
            let log = Log()
            let infos =
                CKUserIdentity.LookupInfo.lookupInfos(withEmails: ["bob@example.org", "x@y.z"])
                + CKUserIdentity.LookupInfo.lookupInfos(with: [bob])
            let several = CKDiscoverUserIdentitiesOperation(userIdentityLookupInfos: infos)
            several.userIdentityDiscoveredBlock = { identity, info in
                #expect(identity.userRecordID == bob)
                log.add(info.emailAddress ?? "by record")
            }
            several.discoverUserIdentitiesResultBlock = { log.add("end \($0.failure == nil)") }
            several.container = fixture.alice
            await several.run()
            let all = CKDiscoverAllUserIdentitiesOperation()
            all.userIdentityDiscoveredBlock = { log.add($0.nameComponents?.givenName ?? "-") }
            all.discoverAllUserIdentitiesCompletionBlock = { log.add("end \($0 == nil)") }
            all.container = fixture.alice
            await all.run()
            #expect(log.all == ["bob@example.org", "by record", "end true", "Bob", "end true"])
        }
    }

    @Test("The deprecated iOS 8 calls find the same people")
    @available(*, deprecated)
    func olderNames() async throws {
        try await withBob { fixture, bob in
            _ = try await fixture.bob.requestApplicationPermission(.userDiscoverability)
            fixture.world.setAddressBook(
                [CloudContact(identifier: "c1", emailAddresses: ["bob@example.org"])], of: "alice")
            let byEmail = await withCheckedContinuation { done in
                fixture.alice.discoverUserInfo(withEmailAddress: "bob@example.org") { info, _ in
                    done.resume(returning: info?.firstName)
                }
            }
            let byID = await withCheckedContinuation { done in
                fixture.alice.discoverUserInfo(withUserRecordID: bob) { info, _ in
                    done.resume(returning: info?.lastName)
                }
            }
            let fromContacts = await withCheckedContinuation { done in
                fixture.alice.discoverAllContactUserInfos { infos, _ in
                    done.resume(returning: infos?.map(\.userRecordID))
                }
            }
            #expect(byEmail == "Bob")
            #expect(byID == "Clown")
            #expect(fromContacts == [bob])
            let log = Log()
            let operation = CKDiscoverUserInfosOperation(
                emailAddresses: ["bob@example.org", "x@y.z"], userRecordIDs: [bob])
            operation.discoverUserInfosCompletionBlock = { emails, records, error in
                log.add("\(emails?.keys.sorted() ?? []) \(records?.count ?? 0) \(error == nil)")
            }
            operation.container = fixture.alice
            await operation.run()
            #expect(log.all == [#"["bob@example.org"] 1 true"#])
        }
    }

    @Test("Identities and lookup infos are equal after an archive round trip")
    func archives() async throws {
        try await withBob { fixture, bob in
            _ = try await fixture.bob.requestApplicationPermission(.userDiscoverability)
            let found = try #require(try await fixture.alice.userIdentity(forEmailAddress: "bob@example.org"))
            let data = try NSKeyedArchiver.archivedData(
                withRootObject: found, requiringSecureCoding: true)
            let copy = try NSKeyedUnarchiver.unarchivedObject(ofClass: CKUserIdentity.self, from: data)
            #expect(copy == found)
            #expect(copy?.lookupInfo == CKUserIdentity.LookupInfo(emailAddress: "bob@example.org"))
            #expect(CKUserIdentity.LookupInfo(userRecordID: bob) != found.lookupInfo)
        }
    }
}

/// A transport that keeps the text of all requests.
private final class RecordingTransport: CloudTransport {
    private let base: any CloudTransport
    private let recorded = Mutex("")

    init(_ base: any CloudTransport) {
        self.base = base
    }

    var text: String { recorded.withLock { $0 } }

    func send(_ request: CloudRequest) async throws -> CloudResponse {
        var body = ""
        if case .bytes(let bytes) = request.body { body = String(decoding: bytes, as: UTF8.self) }
        recorded.withLock { $0 += request.target + "\n" + body + "\n" }
        return try await base.send(request)
    }
}
