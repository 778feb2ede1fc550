import RecordsWire
import Testing

@testable import ServerKit
@testable import TestKit

/// Opens all pages of the console to which links and forms lead, and sends the forms.
struct ConsoleCrawl {
    /// An answer, with the request in words.
    struct Answer: Sendable {
        var request: String
        var reply: Reply
    }

    /// The error of a crawl that meets its limit, and so would miss pages.
    struct LimitMet: Error {
        var address: String
    }

    let visitor: ConsoleVisitor
    /// More pages than the console has.
    let maximumPages: Int
    /// The texts that are typed into empty inputs, by the input's name; others get `other`.
    var texts: [String: String] = [:]
    var other = "x"
    /// The pages by address, and the other answers.
    private(set) var pages: [String: Reply] = [:]
    private(set) var others: [Answer] = []
    private var sent: Set<String> = []

    init(_ visitor: ConsoleVisitor, maximumPages: Int = 1500) {
        self.visitor = visitor
        self.maximumPages = maximumPages
    }

    var answers: [Answer] { pages.map { Answer(request: "GET \($0.key)", reply: $0.value) } + others }

    // MARK: Pages

    /// Whether one of the pages that were opened contains a text.
    func shows(_ text: String) -> Bool { pages.values.contains { $0.text.contains(text) } }

    /// Opens all pages that links and forms with the method GET lead to. Throws `LimitMet` if there are more
    /// than the maximum.
    mutating func open(from start: String = "/console") async throws {
        var waiting = [start]
        while let address = waiting.popLast() {
            if pages[address] != nil { continue }
            if pages.count == maximumPages { throw LimitMet(address: address) }
            let page = try await visitor.get(address)
            pages[address] = page
            waiting += addresses(on: page, at: address).filter { pages[$0] == nil }
        }
    }

    /// Opens all pages again, with the same and new links.
    mutating func openAgain() async throws {
        others += pages.map { Answer(request: "GET \($0.key)", reply: $0.value) }
        pages = [:]
        try await open()
    }

    /// The addresses of pages and files on a page.
    private func addresses(on page: Reply, at address: String) -> [String] {
        let links = HTMLTag.all(of: page.text).compactMap { $0["href"] ?? $0["src"] }
        return (links + PageForm.all(of: page.text, at: address).flatMap(questions)).filter {
            ($0.hasPrefix("/console") && !$0.hasPrefix("/console/style.css")
                && !$0.hasPrefix("/console/icon.svg")) || $0.hasPrefix("/assets/")
        }
    }

    /// The addresses to which a form with the method GET leads: with its own values, with typed values, and
    /// if it has nothing to type, with each value of its lists.
    private func questions(_ form: PageForm) -> [String] {
        if form.method != "get" { return [] }
        var all = [form.pairs(), form.pairs { text(for: $0) }]
        if !form.inputs.contains(where: \.isTyped) {
            for (index, input) in form.inputs.enumerated() {
                for option in input.options {
                    all.append(form.pairs())
                    all[all.count - 1][index].1 = option
                }
            }
        }
        return all.map { form.action + "?" + ConsoleVisitor.encoded($0) }
    }

    private func text(for input: PageForm.Input) -> String { texts[input.name] ?? other }

    // MARK: Forms

    /// Sends every form of the pages that were opened, by each of its buttons: with its own values, with
    /// typed values, and without its CSRF token. Forms that delete something come last. Opens the pages to
    /// which the answers lead.
    mutating func sendForms() async throws {
        let found = pages.sorted { $0.key < $1.key }.flatMap { address, page in
            PageForm.all(of: page.text, at: address).filter { $0.method == "post" }
        }
        let sends = found.flatMap { form in form.actions.map { (form, $0) } }
        let last: Set<String> = ["delete", "remove", "replace", "sign-out", "status"]
        for (form, action) in sends.filter({ !last.contains($0.1) }) + sends.filter({ last.contains($0.1) }) {
            try await send(form, form.pairs(), action, csrfToken: "")
            try await send(form, form.pairs(), action)
            try await send(form, form.pairs { text(for: $0) }, action)
        }
    }

    private mutating func send(
        _ form: PageForm, _ pairs: [(String, String)], _ action: String, csrfToken: String? = nil
    ) async throws {
        let pairs = pairs.filter { $0.0 != "csrfToken" } + [("action", action)]
        let request = "POST \(form.action) \(ConsoleVisitor.encoded(pairs)) \(csrfToken ?? "with its token")"
        if !sent.insert(request).inserted { return }
        let reply = try await visitor.post(form.action, pairs: pairs, csrfToken: csrfToken)
        others.append(Answer(request: request, reply: reply))
        // An operator who has removed the own account is not signed in any more.
        if csrfToken != nil { #expect([400, 403].contains(reply.status), "\(request)") }
        if let address = reply.headers["Location"], address.hasPrefix("/console") {
            others.append(Answer(request: "\(request) → \(address)", reply: try await visitor.get(address)))
        }
    }
}
