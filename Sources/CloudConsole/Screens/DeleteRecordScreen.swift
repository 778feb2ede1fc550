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
        var proof: String
        var tag: String
        var backHref: String
        var recordType: String
        var along: [PageLink]
        var against: [PageLink]
        var isMore: Bool
    }

    func page(_ visit: Visit) async throws -> PageContent {
        let place = try visit.container()
        let (record, _) = try await RecordScreen.record(visit)
        let found = try await Followers(visit: visit, place: place).of(record.id.name)
        let query = [("name", record.id.name)]
        func links(_ names: [String]) -> [PageLink] {
            var budget = TextBudget(bytes: 20_000)
            return names.map {
                PageLink(href: place.path("record", [("name", $0)]), label: budget.shortened($0, most: 100))
            }
        }
        let view = View(
            action: place.path("delete", query), proof: visit.proof,
            tag: record.changeTag?.text ?? "", backHref: place.path("record", query), recordType: record.type,
            along: links(found.along),
            against: links(found.against), isMore: found.isMore)
        return PageContent(
            heading: "Delete \(record.id.name)?", html: try Page.html(Template.deleteRecord, view))
    }

    func act(_ action: String, _ form: FormFields, _ visit: Visit) async throws -> Outcome {
        let place = try visit.container()
        let (record, _) = try await RecordScreen.record(visit)
        let name = record.id.name
        let tag = form.text("tag").map { ChangeTag(text: $0) } ?? record.changeTag
        let along = try await Followers(visit: visit, place: place).of(name).along
        _ = try await visit.apply(
            RecordOperation(.delete, recordName: name, recordType: record.type, changeTag: tag))
        try await visit.log(
            "record.delete", name, before: "\(record.type)\n\(visit.auditText(record.fields))",
            after: along.isEmpty ? nil : "deleted with it: " + along.joined(separator: ", "))
        return .leads(
            to: place.path("records", [("type", record.type)]), notice: "The record \(name) was deleted.")
    }
}
