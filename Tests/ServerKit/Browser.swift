import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import Testing

@testable import TestKit

/// One browser with its own profile. Typed keys go to the focused element.
final class Browser: Sendable {
    private let driver: Command
    private let session: String
    private let client = HTTPClient.shared

    private init(driver: Command, session: String) {
        self.driver = driver
        self.session = session
    }

    /// Runs a scenario with a browser, and closes the browser afterwards.
    static func with(_ scenario: (Browser) async throws -> Void) async throws {
        // The starting thread may block signals. A driver that inherits this would miss the end of its
        // browser.
        let arguments = ["--default-signal", "chromedriver", "--port=0"]
        let driver = try Command(executable: "/usr/bin/env", arguments)
        do {
            let browser = try await start(driver)
            do {
                try await scenario(browser)
            } catch {
                _ = try? await browser.call("DELETE", "")
                throw error
            }
            _ = try await browser.call("DELETE", "")
        } catch {
            driver.send(SIGTERM)
            throw error
        }
        driver.send(SIGTERM)
        _ = await driver.end()
    }

    private static func start(_ driver: Command) async throws -> Browser {
        let printed = try await driver.waitForOutput("successfully on port ")
        let more = printed.hasSuffix("\n") ? printed : try await driver.waitForOutput(".\n")
        let tail = try #require(more.components(separatedBy: "successfully on port ").last)
        let port = tail.prefix(while: \.isNumber)
        let options: JSON = [
            "args": ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]
        ]
        let logs: JSON = ["browser": "ALL", "performance": "ALL"]
        let wanted: JSON = [
            "capabilities": ["alwaysMatch": ["goog:chromeOptions": options, "goog:loggingPrefs": logs]]
        ]
        let base = "http://127.0.0.1:\(port)/session"
        let made = try await exchange("POST", base, wanted)
        let id = try #require(made["value"]["sessionId"].text, "\(made)")
        return Browser(driver: driver, session: base + "/" + id)
    }

    // MARK: Pages

    func open(_ address: String) async throws {
        _ = try await call("POST", "/url", ["url": .string(address)])
    }

    var address: String { get async throws { try await call("GET", "/url").text ?? "" } }

    /// The names of the windows, the first one first.
    var windows: [String] {
        get async throws { try await call("GET", "/window/handles").elements.compactMap(\.text) }
    }

    func enter(window: String) async throws {
        _ = try await call("POST", "/window", ["handle": .string(window)])
    }

    /// Runs a script in the page and returns its result.
    @discardableResult
    func run(_ script: String) async throws -> JSON {
        try await call("POST", "/execute/sync", ["script": .string(script), "args": .array([])])
    }

    /// Waits until a script of the page returns a true value, and returns that value. The browser waits: it
    /// runs the script at every change of the page and of its clock. Leaving a page ends its scripts, which
    /// the driver reports as a timeout; the wait then continues in the next page.
    func wait(for expression: String) async throws -> JSON {
        let script = """
            const done = arguments[0];
            (function look() {
              const value = (function() { return \(expression); })();
              if (value) { done(value); } else { setTimeout(look, 10); }
            })();
            """
        let body: JSON = ["script": .string(script), "args": .array([])]
        for _ in 0..<5 {
            let answer = try await Self.exchange("POST", session + "/execute/async", body)["value"]
            if answer["error"] != "script timeout" {
                return try Self.checked(answer, "waiting for \(expression)")
            }
        }
        return try await call("POST", "/execute/async", body)
    }

    // MARK: Keys

    /// Types text, and keys such as `tab`, into the focused element.
    func type(_ keys: String...) async throws {
        let presses: [JSON] = keys.joined().flatMap { key -> [JSON] in
            [
                ["type": "keyDown", "value": .string(String(key))],
                ["type": "keyUp", "value": .string(String(key))],
            ]
        }
        let keyboard: JSON = ["type": "key", "id": "keyboard", "actions": .array(presses)]
        _ = try await call("POST", "/actions", ["actions": [keyboard]])
    }

    static let tab = "\u{E004}"
    static let enter = "\u{E007}"
    static let space = " "

    // MARK: Window

    /// Sets the size of the page, in pixels. Windows have a minimum size, but the page's size does not.
    func resize(width: Int, height: Int) async throws {
        let size: JSON = [
            "width": .integer(Int64(width)), "height": .integer(Int64(height)), "deviceScaleFactor": 1,
            "mobile": false,
        ]
        _ = try await call(
            "POST", "/goog/cdp/execute", ["cmd": "Emulation.setDeviceMetricsOverride", "params": size])
    }

    /// Sets the appearance of the system: `light` or `dark`.
    func prefer(_ scheme: String) async throws {
        let media: JSON = ["features": [["name": "prefers-color-scheme", "value": .string(scheme)]]]
        _ = try await call(
            "POST", "/goog/cdp/execute", ["cmd": "Emulation.setEmulatedMedia", "params": media])
    }

    // MARK: Complaints

    /// The errors and warnings in the console of the browser since the last call, which include violations of
    /// a page's content security policy, and the requests that have failed or were refused.
    func complaints() async throws -> [String] {
        let messages = try await log("browser").compactMap { entry -> String? in
            let level = entry["level"].text ?? ""
            return ["SEVERE", "WARNING"].contains(level) ? "\(level): \(entry["message"].text ?? "")" : nil
        }
        let events = try await log("performance").compactMap { entry -> String? in
            let event = try JSON(Array((entry["message"].text ?? "").utf8))["message"]
            let parameters = event["params"]
            switch event["method"] {
            case "Network.loadingFailed":
                return "failed: \(parameters["errorText"].text ?? "")"
            case "Network.responseReceived":
                guard let status = parameters["response"]["status"].number, status >= 400 else { return nil }
                return "\(status): \(parameters["response"]["url"].text ?? "")"
            default: return nil
            }
        }
        return messages + events
    }

    private func log(_ kind: String) async throws -> [JSON] {
        try await call("POST", "/se/log", ["type": .string(kind)]).elements
    }

    // MARK: Pictures

    /// A screenshot of the window in PNG. It is also written to the folder in `CLOUDLET_SCREENSHOTS`, if set.
    func picture(_ name: String) async throws -> Data {
        let text = try await call("GET", "/screenshot").text ?? ""
        let data = try #require(Data(base64Encoded: text))
        if let folder = ProcessInfo.processInfo.environment["CLOUDLET_SCREENSHOTS"] {
            try data.write(to: URL(fileURLWithPath: folder).appendingPathComponent(name + ".png"))
        }
        return data
    }

    // MARK: The wire

    private func call(_ method: String, _ path: String, _ body: JSON? = nil) async throws -> JSON {
        try Self.checked(try await Self.exchange(method, session + path, body)["value"], "\(method) \(path)")
    }

    private static func checked(_ answer: JSON, _ what: String) throws -> JSON {
        try #require(answer["error"] == .null, "\(what): \(answer)")
        return answer
    }

    private static func exchange(_ method: String, _ url: String, _ body: JSON?) async throws -> JSON {
        var request = HTTPClientRequest(url: url)
        request.method = .init(rawValue: method)
        if let body { request.body = .bytes(ByteBuffer(bytes: try body.encoded())) }
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(60))
        let bytes = try await response.body.collect(upTo: 32 << 20)
        return try JSON(Array(bytes.readableBytesView))
    }
}
