import Cloudlet
import CloudletServer
import Foundation
import Synchronization
import Testing

@testable import CloudletShell
@testable import ClownCentral
@testable import CommandShell
@testable import ShellKit
@testable import TestKit

@Suite("A session while its server is unreachable")
struct OfflineSessionTests {
    /// A transport to a server that is unreachable until `set(isUnreachable: false)`.
    private final class SwitchedTransport: CloudTransport {
        private let base: any CloudTransport
        private let isUnreachable = Mutex(true)

        init(to base: any CloudTransport) { self.base = base }

        func set(isUnreachable: Bool) { self.isUnreachable.withLock { $0 = isUnreachable } }

        func send(_ request: CloudRequest) async throws -> CloudResponse {
            if isUnreachable.withLock({ $0 }) { throw CloudTransportError.unreachable("connection refused") }
            return try await base.send(request)
        }
    }

    /// A clock that stands still until it is advanced.
    private final class ManualClock: Sendable {
        private let moment = Mutex(ShellWorld.now)

        var now: Date { moment.withLock { $0 } }

        func advance(by seconds: TimeInterval) { moment.withLock { $0 += seconds } }
    }

    @Test("The prompt and a note say that the server is unreachable, until the person is signed in")
    func signsInLater() async throws {
        let server = try await CloudletServer.start(.ephemeral)
        let transport = SwitchedTransport(to: server.transport)
        let clock = ManualClock()
        let access = ServerAccess(
            transport: transport, description: "http://there", assetFolder: .unused(), now: { clock.now })
        var environment = ShellEnvironment.placeholder(ClownCentralApp.names)
        environment.wallClock = { clock.now }
        let session = CloudSession(
            with: access, container: "iCloud.org.example.app", device: "phone", devicesFolder: .unused(),
            in: environment)
        let alice = try await session.account(of: "alice")
        await session.enter(alice)
        #expect(await session.prompt == "development alice@phone [server unreachable]> ")
        #expect(await session.offlineLine?.hasPrefix("offline: no server answers at http://there") == true)
        let again = try await session.account(of: "alice")
        #expect(again == alice)
        let refused = await session.shellError(about: CloudTransportError.unreachable("connection refused"))
        #expect(refused.remedy?.hasPrefix("check that a server runs at http://there") == true)

        transport.set(isUnreachable: false)
        await session.completeSignInIfDue()
        #expect(await session.isSignInPending)
        clock.advance(by: 5)
        for profile in [NetworkProfile.dead, .off] {
            session.server.network.set("phone", profile)
            await session.completeSignInIfDue()
            #expect(await session.isSignInPending, "a device without a network does not wait for the server")
        }
        session.server.network.set("phone", .on)
        await session.completeSignInIfDue()
        #expect(await session.prompt == "development alice@phone> ")
        #expect(await session.offlineLine == nil)
        #expect(alice.session.webAuthToken != nil)
        await server.stop()
    }
}
