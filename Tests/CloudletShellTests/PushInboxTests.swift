import Cloudlet
import Testing

@testable import CloudletShell

@Suite("Receiving pushes on a device")
struct PushInboxTests {
    /// A network on which every request fails.
    private struct NoNetwork: CloudTransport {
        func send(_ request: CloudRequest) async throws -> CloudResponse {
            throw CloudTransportError.unreachable("there is no network")
        }
    }

    @Test("The wait for a connection ends at its limit, or when the task is cancelled")
    func limit() async {
        let connection = CloudConnection(transport: NoNetwork(), webAuthToken: "session")
        let container = CKContainer(identifier: "iCloud.test", connection: connection)
        let inbox = PushInbox(container, treat: { _ in PushTreatment(outcome: .delivered) }, tell: { _ in })
        #expect(await inbox.waitUntilConnected(within: {}) == false)
        let waiting = Task { await inbox.waitUntilConnected(within: nil) }
        waiting.cancel()
        let isConnected = await waiting.value
        #expect(!isConnected)
        await inbox.stop()
    }
}
