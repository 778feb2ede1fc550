import CloudHTTP
import CloudService
import Records

/// One record type: its fields, their indexes, and the grants.
struct TypeScreen: Screen {
    static let title = "Record type"
    static let actions: [String: OperatorRole] = [
        "add": .developer, "remove": .developer, "replace": .developer, "indexes": .developer,
        "grants": .developer, "delete": .developer,
    ]

    func page(_ visit: Visit) async throws -> PageContent {
        let place = try visit.container()
        let name = visit.query["name"] ?? ""
        let schema = try await visit.service.schemas.schema(of: place.container, in: place.environment)
        guard let type = schema.types[name] else {
            throw RecordError(
                .notFound, "there is no such record type", culprit: name, nextStep: "choose a record type")
        }
        let view = TypeView(type, roles: schema.roles, visit, place)
        return PageContent(heading: name, html: try Page.html(Template.type, view))
    }

    func act(_ action: String, _ form: FormFields, _ visit: Visit) async throws -> Outcome {
        let place = try visit.container()
        try place.environment.checkDevelopment()
        let type = visit.query["name"] ?? ""
        let here = place.path("type", [("name", type)])
        let change = TypeChange(type: type, place: place, visit: visit)
        switch action {
        case "add": return .leads(to: here, notice: try await change.addField(form))
        case "remove": return .leads(to: here, notice: try await change.removeField(form))
        case "replace": return .leads(to: here, notice: try await change.replaceField(form))
        case "indexes": return .leads(to: here, notice: try await change.setIndexes(form))
        case "grants": return .leads(to: here, notice: try await change.setGrants(form))
        default: return .leads(to: place.path(), notice: try await change.deleteType(form))
        }
    }
}
