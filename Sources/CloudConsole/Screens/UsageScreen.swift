import CloudHTTP
import CloudService
import Records

/// The sizes of a container's databases, and their quotas. All private databases are counted together.
struct UsageScreen: Screen {
    static let title = "Usage"

    private struct View: Sendable {
        struct Row: Sendable {
            var what: String
            var used: String
            var limit: String
            var percent: String
        }

        var users: Int64
        var rows: [Row]
        var usersHref: String
        var personLimit: String
        /// The address of the list of people who store the most; nil for operators who may not see people.
        var peopleHref: String?
    }

    func page(_ request: ScreenRequest) async throws -> PageContent {
        let place = try request.container()
        let containers = request.service.containers
        let space = try await containers.publicSpace(of: place.container, in: place.environment)
        let files = try await containers.recentUsage(of: place.container, in: place.environment)
        let rows = [
            Self.row("Public records", space.recordBytes, space.recordLimit),
            Self.row("Public files", space.assetBytes, space.assetLimit),
            View.Row(
                what: "Private databases", used: files.map { "\($0.privateDatabases)" } ?? Self.counting,
                limit: "no limit", percent: ""),
            View.Row(
                what: "All databases with their files",
                used: files.map { Self.bytes($0.bytes) } ?? Self.counting, limit: "no limit", percent: ""),
        ]
        let view = View(
            users: try await containers.userCount(of: place.container), rows: rows,
            usersHref: place.path("users"),
            personLimit: request.service.limits.quota.map { Self.bytes($0.personBytes) } ?? "no limit",
            peopleHref: request.operatorAccount.role == .admin
                ? Address.path("people") + Address.query([("sort", "size")]) : nil)
        return PageContent(heading: Self.title, html: try Page.html(Template.usage, view))
    }

    /// The text that is shown while another request counts the files for the first time.
    private static let counting = "is being counted"

    private static func row(_ what: String, _ used: Int64, _ limit: Int64?) -> View.Row {
        let percent = limit.map { $0 > 0 ? BarChart.Unit.share.text(Double(used) / Double($0)) : "" } ?? ""
        return View.Row(
            what: what, used: bytes(used), limit: limit.map(bytes) ?? "no limit", percent: percent)
    }

    /// A number of bytes with a decimal unit.
    static func bytes(_ count: Int64) -> String {
        let units: [(Int64, String)] = [(1_000_000_000, "GB"), (1_000_000, "MB"), (1000, "kB")]
        guard let (size, unit) = units.first(where: { count >= $0.0 }) else { return "\(count) bytes" }
        return "\(count / size).\(count % size * 10 / size) \(unit)"
    }
}
