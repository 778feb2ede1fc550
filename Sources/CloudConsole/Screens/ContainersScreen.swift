import CloudHTTP
import CloudService
import Records

/// The containers in which the operator has a role.
struct ContainersScreen: Screen {
    static let title = "Containers"
    static let actions: [String: OperatorRole] = ["create": .admin]

    private struct View: Sendable {
        struct Row: Sendable {
            var href: String
            var name: String
            var created: String
            var rowRole: String
            var warnings: [String]
        }

        var rows: [Row]
        var pages: [PageLink]
        var csrfToken: String
        var mayCreate: Bool
        var typedName: String
    }

    func page(_ request: ScreenRequest) async throws -> PageContent {
        let account = request.operatorAccount
        let own = try await request.service.containers.all().filter { account.role(in: $0.name) != nil }
        let slice = ListSlice(own, from: request.query["from"], size: 50)
        let rows = slice.elements.map { container in
            View.Row(
                href: ConsolePlace(container: container.name, environment: .development).path(),
                name: container.name,
                created: container.createdAt.milliseconds > 0 ? ValueText.text(of: container.createdAt) : "",
                rowRole: account.role(in: container.name)?.rawValue ?? "", warnings: container.warnings)
        }
        let view = View(
            rows: rows, pages: slice.links(Address.path("containers")), csrfToken: request.csrfToken,
            mayCreate: account.role == .admin, typedName: request.typed("name"))
        return PageContent(heading: Self.title, html: try Page.html(Template.containers, view))
    }

    func act(_ action: String, _ form: FormFields, _ request: ScreenRequest) async throws -> Outcome {
        let name = try form.required("name")
        let made = try await request.service.containers.create(name)
        try await request.log("container.create", made.name, after: made.name)
        let place = ConsolePlace(container: made.name, environment: .development)
        return .redirect(to: place.path(), notice: "The container \(made.name) was created.")
    }
}
