import CloudHTTP
import CloudService
import Records

/// How much a container stores, and how much it may. Private databases are one figure together.
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
        var personLimit: String
        /// The list of those who store most; nil for operators who may not see people.
        var peopleHref: String?
    }

    func page(_ visit: Visit) async throws -> PageContent {
        let place = try visit.container()
        let usage = try await visit.service.containers.usage(of: place.container, in: place.environment)
        let (space, files) = (usage.publicSpace, usage.usage)
        let rows = [
            Self.row("Public records", space.recordBytes, space.recordLimit),
            Self.row("Public files", space.assetBytes, space.assetLimit),
            View.Row(
                what: "Private databases", used: "\(files.privateDatabases)", limit: "no limit",
                percent: ""),
            Self.row("All databases with their files", files.bytes, nil),
        ]
        let view = View(
            users: try await visit.service.containers.userCount(of: place.container), rows: rows,
            personLimit: visit.service.limits.quota.map { Self.bytes($0.personBytes) } ?? "no limit",
            peopleHref: visit.operatorAccount.role == .admin
                ? Address.path("people") + Address.query([("sort", "size")]) : nil)
        return PageContent(heading: Self.title, html: try Page.html(Template.usage, view))
    }

    private static func row(_ what: String, _ used: Int64, _ limit: Int64?) -> View.Row {
        let percent = limit.map { $0 > 0 ? "\(Int(Double(used) / Double($0) * 100)) %" : "" } ?? ""
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
