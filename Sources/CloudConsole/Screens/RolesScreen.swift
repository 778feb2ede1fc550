import CloudHTTP
import CloudService
import Records

/// The security roles of a container, their permissions on each record type, and their members.
struct RolesScreen: Screen {
    static let title = "Security roles"
    static let actions: [String: OperatorRole] = [
        "create": .developer, "delete": .developer, "grant": .developer, "revoke": .developer,
    ]

    private struct View: Sendable {
        struct Row: Sendable {
            var roleName: String
            var members: [Member]
            var hidden: Int?
        }

        struct Member: Sendable {
            var memberRole: String
            var record: String
            var label: String
        }

        /// A record type with the roles that have each permission.
        struct TypeRow: Sendable {
            var href: String
            var typeName: String
            var cells: [String]
        }

        var permissions: [String]
        var types: [TypeRow]
        /// The record types for which the page has no room; nil: none.
        var hiddenTypes: Int?
        var typesHref: String
        var action: String
        var csrfToken: String
        var mayChange: Bool
        var mayCreate: Bool
        var rows: [Row]
        var pages: [PageLink]
        var typedPerson: String
        var typedRole: String
    }

    /// The maximum number of members of one role on the page.
    private static let memberCount = 15
    /// The maximum number of roles on one page.
    private static let pageSize = 6
    /// Record types on the page.
    private static let typeCount = 40

    func page(_ request: ScreenRequest) async throws -> PageContent {
        let place = try request.container()
        let roles = try await request.service.access.roles(
            of: place.container, in: place.environment, named: Self.memberCount)
        let slice = ListSlice(roles, from: request.query["from"], size: Self.pageSize)
        var budget = PageTextBudget(bytes: 20_000)
        let rows = slice.elements.map { role in
            let members = role.members.prefix(Self.memberCount).compactMap { member -> View.Member? in
                guard let name = budget.whole(role.name, bytes: 255) else { return nil }
                return View.Member(
                    memberRole: name, record: member.userRecordName,
                    label: budget.shortened(member.person ?? member.userRecordName, bytes: 100))
            }
            let hidden = role.members.count - members.count
            return View.Row(roleName: role.name, members: members, hidden: hidden > 0 ? hidden : nil)
        }
        let schema = try await request.service.schemas.schema(of: place.container, in: place.environment)
        let types = Self.rows(schema, place)
        let hiddenTypes = schema.types.count - types.count
        let view = View(
            permissions: Permission.allCases.map(\.rawValue), types: types,
            hiddenTypes: hiddenTypes > 0 ? hiddenTypes : nil, typesHref: place.path(),
            action: place.path("roles"), csrfToken: request.csrfToken, mayChange: request.may(.developer),
            mayCreate: request.may(.developer) && place.isDevelopment, rows: rows,
            pages: slice.links(place.path("roles")), typedPerson: request.typed("person", orQuery: true),
            typedRole: request.typed("role"))
        return PageContent(heading: Self.title, html: try Page.html(Template.roles, view))
    }

    private static func rows(_ schema: Schema, _ place: ConsolePlace) -> [View.TypeRow] {
        var budget = PageTextBudget(bytes: 20_000)
        let types = schema.types.values.sorted { $0.name.precedesInBytes($1.name) }
        return types.prefix(typeCount).compactMap { type in
            guard let href = budget.whole(place.path("type", [("name", type.name)]), bytes: 2000) else {
                return nil
            }
            let cells = Permission.allCases.map { permission in
                let names = type.grants.roles(with: permission).map(\.name)
                return budget.shortened(names.joined(separator: ", "), bytes: 120)
            }
            return View.TypeRow(href: href, typeName: budget.shortened(type.name, bytes: 100), cells: cells)
        }
    }

    func act(_ action: String, _ form: FormFields, _ request: ScreenRequest) async throws -> Outcome {
        let place = try request.container()
        let role = try form.required("role")
        return .redirect(to: place.path("roles"), notice: try await done(action, role, form, request, place))
    }

    private func done(
        _ action: String, _ role: String, _ form: FormFields, _ request: ScreenRequest, _ place: ConsolePlace
    ) async throws -> String {
        switch action {
        case "create":
            try place.environment.checkDevelopment()
            _ = try await request.service.schemas.createRole(role, in: place.container)
            try await request.log("role.create", role, after: role)
            return "The role \(role) was created."
        case "delete":
            try place.environment.checkDevelopment()
            _ = try await request.service.schemas.deleteFromSchema(.role(role), of: place.container)
            try await request.log("role.delete", role, before: role)
            return "The role \(role) was deleted."
        default:
            let person = try form.required("person")
            let isMember = action == "grant"
            let (user, isNew) = try await request.service.access.setRole(
                role, of: person, isMember: isMember, in: place.container, place.environment,
                isLimited: request.operatorAccount.role == nil)
            if isNew {
                try await request.log(
                    isMember ? "member.add" : "member.remove", role, before: isMember ? nil : user,
                    after: isMember ? user : nil)
            }
            let words = isMember ? "is a member of" : "is no longer a member of"
            return "\(person) \(words) \(role)."
        }
    }
}
