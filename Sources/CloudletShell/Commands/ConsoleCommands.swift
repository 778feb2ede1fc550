import Cloudlet
import CommandShell
import Records
import RecordsWire

/// The command that reads the pages of the server's console, as text.
struct ConsoleCommands {
    let session: CloudSession

    var commands: [CommandSpec] { [console] }

    private var console: CommandSpec {
        CommandSpec(
            ["console"],
            group: "Apps",
            summary: "show the address and the text of a page of the server's console",
            arguments: [
                ArgumentSpec("PAGE", .choice(Self.pages), .optional),
                ArgumentSpec("FIELD=VALUE", .text, .any),
            ],
            flags: [
                FlagSpec("sign-in", "", .person, "first sign in as this person, on the page `own`")
            ],
            details: """
                The pages are those of the current container, such as `types`, `records`, `own` and `logs`;
                FIELD=VALUE is a parameter in the page's address. Each command is a new browser session, in
                which nobody is signed in without --sign-in. The console needs no sign-in on a server that
                is open for development and that only this machine can reach.
                """,
            examples: ["console", "console records type=Party", "console own --sign-in bob type=Note"]
        ) { arguments in
            let page = arguments.word("PAGE")?.text ?? "types"
            let fields = arguments.words(from: "FIELD=VALUE").map(\.text)
            let person = arguments.text("sign-in")
            return .work { try await read(page, fields, as: person) }
        }
    }

    /// The pages of a container, for completion; others can be typed.
    private static let pages = [
        "types", "records", "roles", "schema", "deploy", "tokens", "zones", "users", "usage", "own",
        "performance", "subscriptions", "settings", "logs", "audit",
    ]

    private func read(_ page: String, _ fields: [String], as person: String?) async throws -> Answer {
        let place = await session.context.place
        let environment = place.callEnvironment.rawValue
        let parts = ["containers", place.container, environment, page].map { PercentEncoding.encode($0) }
        let path = "/console/" + parts.joined(separator: "/")
        let query = fields.map { field in
            field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                .map { PercentEncoding.encode(String($0)) }.joined(separator: "=")
        }
        var visit = ConsoleVisit(transport: session.server.transport)
        if let person { try await visit.signIn(person, on: path) }
        let address = query.isEmpty ? path : path + "?" + query.joined(separator: "&")
        return try await visit.read(address).answer
    }
}

/// A session with the console for the duration of one command. Like a browser, it keeps the cookie.
struct ConsoleVisit {
    let transport: any CloudTransport
    private var cookie: String?

    init(transport: any CloudTransport) {
        self.transport = transport
    }

    /// Signs in as a person on the page `own` of the same container as the page at `path`.
    mutating func signIn(_ person: String, on path: String) async throws {
        let own = path.split(separator: "/").dropLast().map { "/\($0)" }.joined() + "/own"
        let page = try await read(own)
        let body = [("csrfToken", page.csrfToken), ("action", "sign-in"), ("name", person), ("password", "")]
            .map { "\($0)=\(PercentEncoding.encode($1))" }.joined(separator: "&")
        let answer = try await send(CloudRequest(.post, own, body: .bytes(Array(body.utf8))))
        if answer.status != 303 { throw ConsolePage(own, answer).failure }
    }

    /// Loads a page. Throws a `ShellError` with the page's message if it refuses.
    mutating func read(_ address: String) async throws -> ConsolePage {
        let page = ConsolePage(address, try await send(CloudRequest(.get, address)))
        if page.status != 200 { throw page.failure }
        return page
    }

    private mutating func send(_ request: CloudRequest) async throws -> CloudResponse {
        var request = request
        if let cookie { request.headers["Cookie"] = cookie }
        if request.method == .post {
            request.headers["Content-Type"] = "application/x-www-form-urlencoded"
        }
        let answer = try await transport.send(request)
        if let set = answer.headers["Set-Cookie"] { cookie = String(set.prefix { $0 != ";" }) }
        return answer
    }
}

/// The main part of a page of the console.
struct ConsolePage {
    let address: String
    let status: Int
    private let main: String

    init(_ address: String, _ answer: CloudResponse) {
        self.address = address
        status = answer.status
        let html = String(decoding: answer.bytes, as: UTF8.self)
        main = Self.withoutChoices(Self.between("<main", "</main>", of: html) ?? html)
    }

    /// Removes those options of the page's menus that are not selected.
    private static func withoutChoices(_ html: String) -> String {
        let parts = html.components("<option")
        return parts[0]
            + parts.dropFirst().map { part in
                let option = part.components("</option>")
                let isSelected = (part.components(">").first ?? "").contains(" selected")
                return option.count < 2 || isSelected ? "<option" + part : option[1]
            }.joined()
    }

    /// The token in the page's forms that protects them against forged requests (CSRF).
    var csrfToken: String { Self.between("name=\"csrfToken\" value=\"", "\"", of: main) ?? "" }

    /// The heading.
    private var title: String { Self.plain(Self.between("<h1", "</h1>", of: main) ?? "") }

    /// The error for a request that the console refuses, with the message of the page.
    var failure: ShellError {
        let problem = Self.between("id=\"problem\"", "</p>", of: main).map(Self.plain)
        return ShellError(
            code: "console", message: "\(address): \(problem ?? "the server answered with \(status)")",
            remedy: status == 404 ? "status" : nil)
    }

    /// The rows of the tables with records, people or other items, without the rows that say that a table
    /// is empty.
    private var rows: [String] {
        main.components("<tbody>").dropFirst().flatMap { part in
            (Self.between("", "</tbody>", of: part) ?? part).components("<tr>").dropFirst()
        }
        .filter { !$0.hasPrefix("<td colspan") }
        .map(Self.plain)
    }

    var answer: Answer {
        let lines = main.replacing("<tr>", with: "\n").replacing("</p>", with: "\n").replacing(
            "</h2>", with: "\n"
        )
        .replacing("</h1>", with: "\n").replacing("</li>", with: "\n")
        .split(separator: "\n").map { Self.plain(String($0)) }.filter { !$0.isEmpty }
        return Answer(
            form: .text(([address] + lines).joined(separator: "\n")),
            facts: [
                AnswerField("address", .text(address)), AnswerField("title", .text(title)),
                AnswerField("rows", .count(rows.count)),
                AnswerField("text", .text(lines.joined(separator: "\n"))),
            ])
    }

    /// The text between two delimiters; nil unless both occur in this order.
    private static func between(_ start: String, _ end: String, of text: String) -> String? {
        let parts = start.isEmpty ? ["", text] : text.components(start)
        guard parts.count > 1 else { return nil }
        let rest = parts.dropFirst().joined(separator: start).components(end)
        return rest.count > 1 ? rest[0] : nil
    }

    /// The text of a piece of HTML without its tags.
    private static func plain(_ html: String) -> String {
        var text = ""
        var isInTag = false
        // A piece may begin inside a tag, whose attributes are no text.
        let first = html.firstIndex { $0 == "<" || $0 == ">" }
        let piece = first.map { html[$0] == ">" ? html[html.index(after: $0)...] : html[...] } ?? html[...]
        for character in piece {
            switch character {
            case "<": isInTag = true
            case ">":
                isInTag = false
                text += " "
            default: if !isInTag { text.append(character) }
            }
        }
        for (entity, character) in [
            ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&"),
        ] {
            text = text.replacing(entity, with: character)
        }
        return text.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
    }
}

extension String {
    /// The parts between the occurrences of a delimiter.
    fileprivate func components(_ delimiter: String) -> [String] {
        split(separator: delimiter, omittingEmptySubsequences: false).map(String.init)
    }
}
