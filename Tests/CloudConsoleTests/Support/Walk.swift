import Testing

@testable import ServerKit
@testable import TestKit

/// The steps of a person with a browser.
struct Walk: Sendable {
    let browser: Browser
    let url: String

    /// Follows the link with this text.
    func follow(_ label: String) async throws {
        let link = "[...document.querySelectorAll('a')].find(a => a.textContent.trim() == '\(label)')"
        _ = try await browser.wait(for: link + " != null")
        try await browser.run("window.isOld = true; \(link).click()")
        _ = try await browser.wait(for: "!window.isOld && document.readyState == 'complete'")
    }

    func fill(_ selector: String, _ text: String) async throws {
        try await browser.run("document.querySelector(\"\(selector)\").value = ''")
        try await browser.run("document.querySelector(\"\(selector)\").focus()")
        try await browser.type(text)
    }

    func choose(_ selector: String, _ value: String) async throws {
        try await browser.run("document.querySelector(\"\(selector)\").value = '\(value)'")
    }

    func press(_ selector: String) async throws {
        try await browser.run("document.querySelector(\"\(selector)\").click()")
    }

    /// Waits for the page's message.
    func hears(_ text: String) async throws {
        let notice = try await browser.wait(
            for: "document.querySelector('.notice, .problem')"
                + " && document.querySelector('.notice, .problem').textContent == '\(text)'")
        #expect(notice == .bool(true))
    }
}
