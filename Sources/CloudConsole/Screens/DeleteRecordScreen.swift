import CloudHTTP
import CloudService
import Records

/// Asks for confirmation before a public record is deleted, and lists the records that would be deleted too.
struct DeleteRecordScreen: Screen {
    static let title = "Delete record"
    static let role = OperatorRole.developer
    static let actions: [String: OperatorRole] = ["delete": .developer]

    private struct View: Sendable {
        var action: String
        var csrfToken: String
        var tag: String
        var backHref: String
        var recordType: String
        var deletedTogether: [PageLink]
        var preventingDeletion: [PageLink]
        var isMore: Bool
    }

    func page(_ request: ScreenRequest) async throws -> PageContent {
        let place = try request.container()
        let (record, _) = try await RecordScreen.record(request)
        let found = try await ReferringRecords(request: request, place: place).of(record.id.name)
        let query = [("name", record.id.name)]
        func links(_ names: [String]) -> [PageLink] {
            var budget = PageTextBudget(bytes: 20_000)
            return names.map {
                PageLink(href: place.path("record", [("name", $0)]), label: budget.shortened($0, bytes: 100))
            }
        }
        let view = View(
            action: place.path("delete", query), csrfToken: request.csrfToken,
            tag: record.changeTag?.text ?? "", backHref: place.path("record", query), recordType: record.type,
            deletedTogether: links(found.deletedTogether),
            preventingDeletion: links(found.preventingDeletion), isMore: found.isMore)
        return PageContent(
            heading: "Delete \(record.id.name)?", html: try Page.html(Template.deleteRecord, view))
    }

    func act(_ action: String, _ form: FormFields, _ request: ScreenRequest) async throws -> Outcome {
        let place = try request.container()
        let (record, _) = try await RecordScreen.record(request)
        let name = record.id.name
        let tag = form.text("tag").map { ChangeTag(text: $0) } ?? record.changeTag
        let deletedTogether = try await ReferringRecords(request: request, place: place).of(name)
            .deletedTogether
        _ = try await request.apply(
            RecordOperation(.delete, recordName: name, recordType: record.type, changeTag: tag))
        try await request.log(
            "record.delete", name, before: "\(record.type)\n\(request.auditText(record.fields))",
            after: deletedTogether.isEmpty
                ? nil : "deleted with it: " + deletedTogether.joined(separator: ", "))
        return .redirect(
            to: place.path("records", [("type", record.type)]), notice: "The record \(name) was deleted.")
    }
}
