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

    func page(_ visit: Visit) async throws -> PageContent {
        let entries = try await visit.service.operators.audit(
            of: visit.place?.container, before: visit.query["before"].flatMap { Int64($0) })
        var budget = TextBudget(bytes: 55_000)
        let shown = entries.prefix(50)
        let rows = shown.map { entry in
            View.Row(
                when: ValueText.text(of: entry.at), by: budget.shortened(entry.by, most: 64),
                location: budget.shortened(
                    [visit.place == nil ? entry.container : nil, entry.environment?.rawValue]
                        .compactMap(\.self).joined(separator: " "),
                    most: 120),
                what: entry.action, subject: budget.shortened(entry.subject, most: 120),
                before: Self.shortened(entry.before ?? "", &budget),
                after: Self.shortened(entry.after ?? "", &budget))
        }
        let address = visit.place?.path("audit") ?? Address.path("audit")
        let isMore = entries.count > shown.count || entries.count == 100
        let view = View(
            rows: rows, nextHref: isMore ? shown.last.map { "\(address)?before=\($0.number)" } : nil)
        return PageContent(heading: Self.title, html: try Page.html(Template.audit, view))
    }

    /// Lines of one text on the page, and their bytes together.
    private static let (lines, bytes) = (12, 300)

    /// The beginnings of the first lines of a text, so that a long line hides no other.
    private static func shortened(_ text: String, _ budget: inout TextBudget) -> String {
        let all = text.utf8.split(separator: 10)
        let shown = all.prefix(lines).map { line in
            budget.shortened(String(Substring(line)), most: bytes / min(all.count, lines))
        }
        return (all.count > lines ? shown + ["… and \(all.count - lines) more"] : shown)
            .joined(separator: "\n")
    }
}
