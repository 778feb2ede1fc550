import Cloudlet
import Foundation
import Testing

@Suite("The push stream")
struct PushStreamTests {
    /// Answers the request for a stream with one byte at a time.
    private struct SlowTransport: CloudTransport {
        let stream: String

        func send(_ request: CloudRequest) async throws -> CloudResponse {
            guard let take = request.onBytes else {
                let token = """
                    {"apnsEnvironment":"development","apnsToken":"t",\
                    "webcourierURL":"https://push.example/push/poll?tok=t"}
                    """
                return CloudResponse(status: 200, body: .bytes(Array(token.utf8)))
            }
            for byte in stream.utf8 { try await take([byte]) }
            return CloudResponse(status: 200, body: .bytes([]))
        }
    }

    @Test("Pushes that arrive byte by byte are received; an incomplete last one is not")
    func byteByByte() async throws {
        let pushes = ["one", "zwölf", "lost"].map {
            #"{"ck":{"cid":"iCloud.test","nid":"n","met":{"sid":"\#($0)"}}}"#
        }
        // Empty lines keep the connection open.
        let stream = "\n\(pushes[0])\n\n\(pushes[1])\n" + pushes[2].dropLast()
        let received = Log()
        try await CKContainer.over(SlowTransport(stream: stream)).receivePushes(onOpen: {}) {
            received.add($0.subscriptionID ?? "")
        }
        #expect(received.all == ["one", "zwölf"])
    }
}
