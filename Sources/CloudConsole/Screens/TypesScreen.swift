import CloudHTTP
import CloudService
import Records

/// The record types of a container.
struct TypesScreen: Screen {
    static let title = "Record types"
    static let actions: [String: OperatorRole] = ["create": .developer]

    private struct View: Sendable {
        struct Row: Sendable {
            var href: String
            var recordsHref: String
            var name: String
            var fieldCount: Int
            var indexCount: Int
        }

        var rows: [Row]
        var pages: [PageLink]
        var csrfToken: String
        var action: String
        var mayCreate: Bool
        var isLocked: Bool
        var typedName: String
    }

    func page(_ request: ScreenRequest) async throws -> PageContent {
        let place = try request.container()
        let schema = try await request.service.schemas.schema(of: place.container, in: place.environment)
        let types = schema.types.values.sorted { $0.name.precedesInBytes($1.name) }
        let slice = ListSlice(types, from: request.query["from"], size: 40)
        let rows = slice.elements.map { type in
            View.Row(
                href: place.path("type", [("name", type.name)]),
                recordsHref: place.path("records", [("type", type.name)]), name: type.name,
                fieldCount: type.fields.count,
                indexCount: type.fields.values.filter { !$0.indexes.isEmpty }.count
                    + type.systemIndexes.count)
        }
        let view = View(
            rows: rows, pages: slice.links(place.path()), csrfToken: request.csrfToken, action: place.path(),
            mayCreate: place.isDevelopment && request.may(.developer), isLocked: !place.isDevelopment,
            typedName: request.typed("name"))
        return PageContent(heading: Self.title, html: try Page.html(Template.types, view))
    }

    func act(_ action: String, _ form: FormFields, _ request: ScreenRequest) async throws -> Outcome {
        let place = try request.container()
        try place.environment.checkDevelopment()
        let name = try form.required("name")
        _ = try await request.service.schemas.addType(name, in: place.container)
        try await request.log("type.create", name, after: name)
        return .redirect(
            to: place.path("type", [("name", name)]), notice: "The record type \(name) was created.")
    }
}
