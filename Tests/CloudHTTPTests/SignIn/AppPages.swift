import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle

@testable import ServerKit
@testable import TestKit

/// An app's page with a button to sign in, and the address to which sign-in pages may redirect.
struct AppPages: Sendable {
    let origin: String

    /// Serves the pages on a free port for as long as a scenario lasts.
    ///
    /// The page calls `users/caller` at the URL in the fragment of its own URL.
    static func serving(_ scenario: (AppPages) async throws -> Void) async throws {
        let router = Router()
        router.get("/") { _, _ in html(page) }
        router.get("/callback") { _, _ in html(callback) }
        var logger = Logger(label: "app")
        logger.logLevel = .error
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let application = Application(
            router: router, configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in port.yield(channel.localAddress?.port ?? 0) }, logger: logger
        )
        let group = ServiceGroup(configuration: .init(services: [application], logger: logger))
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            for await port in ports {
                try await scenario(AppPages(origin: "http://127.0.0.1:\(port)"))
                break
            }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
    }

    private static func html(_ text: String) -> Response {
        var headers = HTTPFields()
        headers[.contentType] = "text/html; charset=utf-8"
        return Response(
            status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }

    /// Handles messages as CloudKit JS does: reads `ckSession` of the first message if its data is an object.
    private static let page = """
        <!DOCTYPE html><title>App</title>
        <button id="sign-in" disabled>Sign in</button><p id="state">asking</p>
        <script>
        const caller = decodeURIComponent(location.hash.slice(1));
        const state = document.getElementById("state"), button = document.getElementById("sign-in");
        async function ask(token) {
          const extra = token ? "&ckWebAuthToken=" + encodeURIComponent(token) : "";
          const response = await fetch(caller + extra, {credentials: "same-origin"});
          const body = await response.json();
          if (response.status == 421) {
            button.onclick = () => window.open(body.redirectURL, "sign-in", "width=640,height=525");
            button.disabled = false;
            state.textContent = body.serverErrorCode;
          } else {
            state.dataset.next = response.headers.get("X-Apple-CloudKit-Web-Auth-Token") || "";
            state.textContent = body.userRecordName || body.serverErrorCode;
          }
        }
        addEventListener("message", (event) => {
          if (typeof event.data != "object") { return; }
          state.dataset.origin = event.origin;
          state.dataset.keys = Object.keys(event.data).sort().join();
          ask(event.data.ckSession);
        }, {once: true});
        ask();
        </script>
        """

    private static let callback = "<!DOCTYPE html><title>Back</title><p>Back in the app</p>"
}
