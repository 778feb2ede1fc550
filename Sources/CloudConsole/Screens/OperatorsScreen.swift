import CloudHTTP
import CloudService
import Records

/// The operators who have an account, for the server's administrators.
struct OperatorsScreen: Screen {
    static let title = "Operators"
    static let role = OperatorRole.admin
    static let actions: [String: OperatorRole] = ["set": .admin, "remove": .admin]

    private struct View: Sendable {
        struct Row: Sendable {
            var name: String
            var roles: String
        }

        var action: String
        var csrfToken: String
        var rows: [Row]
        var pages: [PageLink]
        var roleNames: [String]
        var typedName: String
        var typedContainer: String
    }

    func page(_ request: ScreenRequest) async throws -> PageContent {
        let slice = ListSlice(
            try await request.service.operators.all(), from: request.query["from"], size: 20)
        var budget = PageTextBudget(bytes: 20_000)
        let rows = slice.elements.map {
            View.Row(name: $0.name, roles: budget.shortened($0.rolesText, bytes: 500))
        }
        let view = View(
            action: Address.path("operators"), csrfToken: request.csrfToken, rows: rows,
            pages: slice.links(Address.path("operators")),
            roleNames: OperatorRole.allCases.map(\.rawValue) + [Self.noRole],
            typedName: request.typed("name"), typedContainer: request.typed("container"))
        return PageContent(heading: Self.title, html: try Page.html(ServerTemplate.operators, view))
    }

    /// The option that removes a role.
    private static let noRole = "none"

    func act(_ action: String, _ form: FormFields, _ request: ScreenRequest) async throws -> Outcome {
        let name = try form.required("name")
        let here = Address.path("operators")
        let before = try await request.service.operators.all().first { $0.name == name }?.rolesText
        if action == "remove" {
            try await request.service.operators.remove(name)
            try await request.log("operator.remove", name, before: before)
            return .redirect(to: here, notice: "The operator \(name) was removed.")
        }
        let role = OperatorRole(rawValue: form["role"] ?? "")
        guard role != nil || form["role"] == Self.noRole else {
            throw RecordError(
                .badRequest, "there is no such role", culprit: "role", nextStep: "choose a role")
        }
        let account = try await request.service.operators.set(
            role, of: name, in: form.text("container"),
            password: form["password"].flatMap { $0.isEmpty ? nil : $0 })
        let isPasswordSet = !(form["password"] ?? "").isEmpty
        try await request.log(
            "operator.set", name, before: before, after: account.auditText(isPasswordSet: isPasswordSet))
        return .redirect(to: here, notice: "The operator \(name) is \(account.rolesText).")
    }
}
