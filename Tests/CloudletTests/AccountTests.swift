import Cloudlet
import CloudletServer
import CloudletTesting
import Foundation
import RecordsWire
import Synchronization
import Testing

@Suite("Accounts", .timeLimit(.minutes(30)))
struct AccountTests {
    @Test("Every account status is reported as a status, not as an error")
    func statuses() async throws {
        try await withFixture { fixture in
            #expect(try await fixture.nobody.accountStatus() == .noAccount)
            #expect(try await fixture.alice.accountStatus() == .available)
            try await fixture.world.setStatus(.restricted, of: "alice")
            #expect(try await fixture.alice.accountStatus() == .restricted)
            let save = await code { try await fixture.alice.publicCloudDatabase.save(party("a")) }
            #expect(save == .managedAccountRestricted)
            try await fixture.world.setStatus(.temporarilyUnavailable, of: "alice")
            #expect(try await fixture.tablet.accountStatus() == .temporarilyUnavailable)
            let fetch = await code { _ = try await fixture.tablet.privateCloudDatabase.allRecordZones() }
            #expect(fetch == .accountTemporarilyUnavailable)
            try await fixture.world.setStatus(.available, of: "alice")
            #expect(try await fixture.alice.accountStatus() == .available)
            try await fixture.world.server.people.signOut("alice")
            #expect(try await fixture.alice.accountStatus() == .noAccount)
        }
    }

    @Test("If the server cannot be reached, the status is couldNotDetermine and the error says why")
    func undetermined() async throws {
        let port = try RefusingPort()
        let connection = CloudConnection(url: port.url, webAuthToken: "session")
        let container = CKContainer(identifier: "iCloud.test", connection: connection)
        let heard = await withCheckedContinuation { done in
            container.accountStatus { status, error in
                done.resume(returning: "\(status) \((error as? CKError)?.code == .networkUnavailable)")
            }
        }
        #expect(heard == "couldNotDetermine true")
        #expect(await code { _ = try await container.accountStatus() } == .networkUnavailable)
    }

    @Test("Sign-in, switch and sign-out post one notification each, and each person sees only their own data")
    func switching() async throws {
        try await withFixture { fixture in
            let account = CloudAccount()
            let changes = Changes(of: account)
            let container = try await self.container(fixture.world, account)
            let database = container.privateCloudDatabase
            let diary = party("diary")
            #expect(await code { try await database.save(diary) } == .notAuthenticated)
            try await account.signIn(as: "carol", to: container)
            #expect(changes.count == 1)
            try await database.save(diary)
            try await account.signIn(as: "dora", to: container)
            #expect(changes.count == 2)
            #expect(await code { try await database.record(for: diary.recordID) } == .unknownItem)
            account.signOut()
            account.signOut()
            #expect(changes.count == 3)
            #expect(try await container.accountStatus() == .noAccount)
            #expect(await code { try await database.record(for: diary.recordID) } == .notAuthenticated)
            #expect(
                await code { try await container.publicCloudDatabase.save(party("p")) } == .notAuthenticated)
            try await account.signIn(as: "carol", to: container)
            #expect(try await database.record(for: diary.recordID)["name"] as? String == "diary")
        }
    }

    @Test("If the account changes during an operation, it fails and saves nothing for the other person")
    func changedDuringOperation() async throws {
        try await withFixture { fixture in
            let account = CloudAccount()
            let bob = try #require(fixture.bob.connection.webAuthToken)
            var app = try await fixture.world.connection(of: nil)
            app.transport = WatchedTransport(app.transport) { request in
                if request.target.contains("assets/upload") { account.signIn(webAuthToken: bob) }
            }
            let container = try await self.container(fixture.world, account, app)
            try await account.signIn(as: "alice", to: container)
            let file = fixture.folder.appendingPathComponent("photo.jpg")
            try Data("photo".utf8).write(to: file)
            let diary = party("diary")
            diary["photo"] = CKAsset(fileURL: file)
            let save = await code { try await container.privateCloudDatabase.save(diary) }
            #expect(save == .notAuthenticated)
            for database in [fixture.alice.privateCloudDatabase, fixture.bob.privateCloudDatabase] {
                let found = await code { try await database.record(for: diary.recordID) }
                #expect(found == .unknownItem)
            }
        }
    }

    @Test("A status change in a server answer posts one notification")
    func announced() async throws {
        try await withFixture { fixture in
            let account = CloudAccount()
            let container = try await self.container(fixture.world, account)
            try await account.signIn(as: "alice", to: container)
            let changes = Changes(of: account)
            let database = container.privateCloudDatabase
            _ = try await database.allRecordZones()
            #expect(changes.count == 0)
            try await fixture.world.setStatus(.restricted, of: "alice")
            for _ in 1...2 {
                let refusal = await code { _ = try await database.allRecordZones() }
                #expect(refusal == .managedAccountRestricted)
            }
            #expect(changes.count == 1)
            #expect(try await container.accountStatus() == .restricted)
            #expect(changes.count == 1)
            try await fixture.world.setStatus(.available, of: "alice")
            #expect(try await container.accountStatus() == .available)
            _ = try await database.allRecordZones()
            #expect(changes.count == 2)
        }
    }

    // MARK: Closed servers

    /// Runs the body with a server with closed access, where Paul has a password and the app an API token.
    private func withClosedServer(
        port: Int? = nil, _ body: (CloudletWorld, _ app: CloudConnection) async throws -> Void
    ) async throws {
        let world = try await CloudletWorld.start(port: port, access: .closed)
        let server = world.server
        do {
            try await server.apps.createContainer(Fixture.containerName)
            try await server.people.add(
                .init("paul", email: "paul@example.org"), password: "correct horse")
            var app = try await world.connection(of: nil)
            if let url = server.url { app.transport = HTTPTransport(url: url) }
            app.apiToken = try await server.apps.addAPIToken(container: Fixture.containerName, label: "app")
            try await body(world, app)
        } catch {
            await world.stop()
            throw error
        }
        await world.stop()
    }

    private func container(
        _ world: CloudletWorld, _ account: CloudAccount, _ app: CloudConnection? = nil
    ) async throws -> CKContainer {
        var connection: CloudConnection
        if let app { connection = app } else { connection = try await world.connection(of: nil) }
        connection.account = account
        return CKContainer(identifier: Fixture.containerName, connection: connection)
    }

    @Test(
        "A correct password signs in and a wrong one does not, over HTTP and in process", arguments: [nil, 0])
    func passwords(port: Int?) async throws {
        try await withClosedServer(port: port) { world, app in
            let account = CloudAccount()
            let container = try await container(world, account, app)
            for (name, password) in [("paul", "wrong"), ("nobody", "correct horse"), ("paul", nil)] {
                let refusal = await code {
                    try await account.signIn(as: name, password: password, to: container)
                }
                #expect(refusal == .notAuthenticated, "\(name) \(password ?? "-")")
            }
            #expect(account.webAuthToken == nil)
            try await account.signIn(as: "PAUL@example.org", password: "correct horse", to: container)
            try await container.privateCloudDatabase.save(party("a"))
            let byName = await code { _ = try await app.signingIn(as: "paul") }
            #expect(byName == .permissionFailure)
            var stranger = app
            stranger.apiToken = nil
            let untold = await code {
                _ = try await stranger.signingIn(
                    as: "paul", password: "correct horse", container: Fixture.containerName)
            }
            #expect(untold == .notAuthenticated)
        }
    }

    @Test("A session lasts while it is used, and ends after half an hour without use")
    func renewal() async throws {
        try await withClosedServer { world, app in
            let account = CloudAccount()
            let following = try await container(world, account, app)
            try await account.signIn(as: "paul", password: "correct horse", to: following)
            let begun = account.webAuthToken
            let fixed = CKContainer(
                identifier: Fixture.containerName,
                connection: try await app.signingIn(
                    as: "paul", password: "correct horse", container: Fixture.containerName))
            for _ in 1...3 {
                world.clock.advance(bySeconds: 1500)
                #expect(try await following.accountStatus() == .available)
                #expect(try await fixed.accountStatus() == .available)
            }
            #expect(account.webAuthToken != begun)
            // The next run of the app continues the session with the stored token.
            let again = try await container(
                world, CloudAccount(webAuthToken: account.webAuthToken), app)
            #expect(try await again.accountStatus() == .available)
            world.clock.advance(bySeconds: 1801)
            #expect(try await following.accountStatus() == .noAccount)
            #expect(try await fixed.accountStatus() == .noAccount)
        }
    }

    @Test("Ending a session signs the person out on all devices that use it")
    func ending() async throws {
        try await withClosedServer { world, app in
            let account = CloudAccount()
            let container = try await container(world, account, app)
            try await account.signIn(as: "paul", password: "correct horse", to: container)
            let other = try await self.container(
                world, CloudAccount(webAuthToken: account.webAuthToken), app)
            #expect(try await other.accountStatus() == .available)
            try await container.connection.endSession()
            #expect(account.webAuthToken == nil)
            #expect(try await other.accountStatus() == .noAccount)
        }
    }

    @Test("A web page gets its own token for the signed-in person")
    func webAuthToken() async throws {
        try await withClosedServer { world, app in
            let account = CloudAccount()
            let container = try await container(world, account, app)
            try await account.signIn(as: "paul", password: "correct horse", to: container)
            let page = try await world.server.apps.addAPIToken(
                container: Fixture.containerName, label: "page")
            let log = Log()
            for apiToken in [page, "0"] {
                let operation = CKFetchWebAuthTokenOperation(apiToken: apiToken)
                operation.database = container.privateCloudDatabase
                operation.fetchWebAuthTokenResultBlock = { result in
                    switch result {
                    case .success(let token): log.add(token)
                    case .failure(let error): log.add("\((error as? CKError)?.code.rawValue ?? -1)")
                    }
                }
                await operation.run()
            }
            #expect(log.all.last == "\(CKError.Code.notAuthenticated.rawValue)")
            var web = app
            web.apiToken = page
            web.webAuthToken = log.all.first
            let paul = CKContainer(identifier: Fixture.containerName, connection: web)
            #expect(try await paul.userRecordID() == (try await container.userRecordID()))
        }
    }
}

/// Counts the notifications that an account has changed.
private final class Changes: Sendable {
    private let counted = Mutex(0)

    init(of account: CloudAccount) {
        _ = NotificationCenter.default.addObserver(
            forName: .CKAccountChanged, object: account, queue: nil
        ) { [weak self] _ in self?.counted.withLock { $0 += 1 } }
    }

    var count: Int { counted.withLock { $0 } }
}
