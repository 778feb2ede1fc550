import CloudHTTP
import CloudService
import Records

/// The changes that operators made, newest first.
struct AuditScreen: Screen {
    static let title = "Audit log"

    private struct View: Sendable {
        struct Row: Sendable {
            var when: String
            var by: String
            var location: String
            var what: String
            var subject: String
            var before: String
            var after: String
        }

        var rows: [Row]
        var nextHref: String?
    }

    func page(_ request: ScreenRequest) async throws -> PageContent {
        let entries = try await request.service.operators.audit(
            of: request.place?.container, before: request.query["before"].flatMap { Int64($0) })
        var budget = PageTextBudget(bytes: 55_000)
        let shown = entries.prefix(50)
        let rows = shown.map { entry in
            View.Row(
                when: ValueText.text(of: entry.at), by: budget.shortened(entry.by, bytes: 64),
                location: budget.shortened(
                    [request.place == nil ? entry.container : nil, entry.environment?.rawValue]
                        .compactMap(\.self).joined(separator: " "),
                    bytes: 120),
                what: entry.action, subject: budget.shortened(entry.subject, bytes: 120),
                before: Self.shortened(entry.before ?? "", &budget),
                after: Self.shortened(entry.after ?? "", &budget))
        }
        let address = request.place?.path("audit") ?? Address.path("audit")
        let isMore = entries.count > shown.count || entries.count == 100
        let view = View(
            rows: rows, nextHref: isMore ? shown.last.map { "\(address)?before=\($0.number)" } : nil)
        return PageContent(heading: Self.title, html: try Page.html(Template.audit, view))
    }

    /// The maximum number of lines of one text on the page, and of their bytes together.
    private static let (lines, bytes) = (12, 300)

    /// The first lines of a text, each shortened, so that a long line does not displace the others.
    private static func shortened(_ text: String, _ budget: inout PageTextBudget) -> String {
        let all = text.utf8.split(separator: 10)
        let shown = all.prefix(lines).map { line in
            budget.shortened(String(Substring(line)), bytes: bytes / min(all.count, lines))
        }
        return (all.count > lines ? shown + ["… and \(all.count - lines) more"] : shown)
            .joined(separator: "\n")
    }
}
