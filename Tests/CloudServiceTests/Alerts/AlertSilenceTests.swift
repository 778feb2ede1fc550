import CloudService
import CloudletServer
import CloudletTesting
import Crypto
import Records
import RecordsWire
import Testing

@testable import ServerKit
@testable import TestKit

@Suite("Requests that alerts count", .timeLimit(.minutes(30)))
struct AlertSilenceTests {
    @Test("Requests with refused credentials, or for a missing container, do not end a silence")
    func strangers() async throws {
        let configure: @Sendable (inout ServerConfiguration) -> Void = {
            $0.alerts = "silence>10m"
            $0.alertSender = { _ in }
        }
        try await withServer(.loopback, configure) { world in
            let key = try await world.register(P256.Signing.PrivateKey().publicKey.pemRepresentation)
            world.clock.advance(bySeconds: 400)
            let session = try await world.call(
                "public/records/lookup", names("p"), parameters: "ckWebAuthToken=wrong")
            #expect(session.status == 401)
            let signature = try await world.send(
                "POST", ServerWorld.target("public/records/lookup"),
                headers: SignedRequest.headers(key, "2014-06-02T12:06:40Z", [1, 2, 3]),
                body: try names("p").encoded())
            #expect(signature.failure == "401 AUTHENTICATION_FAILED: the signature is not valid")
            let stranger = try await world.call(
                "public/records/lookup", names("p"), container: "iCloud.missing")
            #expect(stranger.status == 200)
            let file = try await world.send("GET", "/assets/ticket")
            #expect(file.status == 403)
            world.clock.advance(bySeconds: 300)
            let raised = await world.service.alerts.due().map(\.isRaised)
            #expect(raised == [true])
            world.clock.advance(bySeconds: 400)
            let known = try await world.call("public/records/lookup", names("p"))
            #expect(known.status == 200)
            let cleared = await world.service.alerts.due().map(\.isRaised)
            #expect(cleared == [false])
        }
    }

    @Test("A request that fails before its caller is known counts if the server is to blame")
    func failures() {
        var request = AnsweredRequest(operation: "records/lookup")
        request.container = "iCloud.test"
        #expect(!request.isOfApp)
        request.error = .internalError
        #expect(request.isOfApp)
        request.error = .authenticationFailed
        #expect(!request.isOfApp)
        request.isIdentified = true
        #expect(request.isOfApp)
        request.container = nil
        #expect(!request.isOfApp)
    }
}
