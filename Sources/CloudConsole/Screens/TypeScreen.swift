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

    func page(_ request: ScreenRequest) async throws -> PageContent {
        let place = try request.container()
        let name = request.query["name"] ?? ""
        let schema = try await request.service.schemas.schema(of: place.container, in: place.environment)
        guard let type = schema.types[name] else {
            throw RecordError(
                .notFound, "there is no such record type", culprit: name, nextStep: "choose a record type")
        }
        let spaces = try await request.service.containers.publicSpace(
            ofTypes: [name], in: place.container, place.environment)
        let space = spaces.map { $0[name] ?? TypeSpace() }
        let view = TypeView(type, space, roles: schema.roles, request, place)
        return PageContent(heading: name, html: try Page.html(Template.type, view))
    }

    func act(_ action: String, _ form: FormFields, _ request: ScreenRequest) async throws -> Outcome {
        let place = try request.container()
        try place.environment.checkDevelopment()
        let type = request.query["name"] ?? ""
        let here = place.path("type", [("name", type)])
        let change = TypeChange(type: type, place: place, request: request)
        switch action {
        case "add": return .redirect(to: here, notice: try await change.addField(form))
        case "remove": return .redirect(to: here, notice: try await change.removeField(form))
        case "replace": return .redirect(to: here, notice: try await change.replaceField(form))
        case "indexes": return try await change.setIndexes(form, on: here)
        case "grants": return .redirect(to: here, notice: try await change.setGrants(form))
        default: return .redirect(to: place.path(), notice: try await change.deleteType(form))
        }
    }
}
