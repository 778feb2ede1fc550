import CloudHTTP
import CloudService
import Records

/// The people who have used a container, with their roles and the size of their data in the public database.
/// Their names are
/// shown only if they have agreed to be found.
struct UsersScreen: Screen {
    static let title = "Users"

    private struct View: Sendable {
        struct Row: Sendable {
            var userRecord: String
            var person: String
            var roles: String
            /// The address of the form for the person's roles; nil for operators who may not change them.
            var rolesHref: String?
            var publicSize: String
        }

        var count: Int64
        var rows: [Row]
        var nextHref: String?
    }

    /// The maximum number of users on one page.
    private static let pageSize = 50

    func page(_ request: ScreenRequest) async throws -> PageContent {
        let place = try request.container()
        let users = try await request.service.access.users(
            of: place.container, after: request.query["after"], limit: Self.pageSize + 1)
        let shown = users.prefix(Self.pageSize)
        let isMore = users.count > shown.count
        let sizes = try await request.service.containers.publicBytes(
            of: shown.map(\.userRecordName), in: place.container, place.environment)
        let roles = try await request.service.access.roles(
            of: shown.map(\.userRecordName), in: place.container, place.environment)
        var budget = PageTextBudget(bytes: 20_000)
        let view = View(
            count: try await request.service.containers.userCount(of: place.container),
            rows: shown.map { user in
                View.Row(
                    userRecord: user.userRecordName, person: user.person ?? "",
                    roles: budget.shortened(
                        (roles[user.userRecordName] ?? []).joined(separator: ", "), bytes: 300),
                    rolesHref: request.may(.developer)
                        ? place.path("roles", [("person", user.userRecordName)]) : nil,
                    publicSize: UsageScreen.bytes(sizes[user.userRecordName] ?? 0))
            },
            nextHref: isMore ? shown.last.map { place.path("users", [("after", $0.userRecordName)]) } : nil)
        return PageContent(heading: Self.title, html: try Page.html(Template.users, view))
    }
}
