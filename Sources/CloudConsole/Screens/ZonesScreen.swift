import CloudHTTP
import CloudService
import Records
import RecordsWire

/// The zone of the public database, and the zones of the person's own databases, with their change tokens.
struct ZonesScreen: Screen {
    static let title = "Zones"

    private struct View: Sendable {
        struct Row: Sendable {
            var href: String
            var database: String
            var zoneName: String
            /// The size of its records and files. A zone that another person shares has none, because it may
            /// contain records that the person cannot see.
            var size: String
            var atomic: String
            var token: String
        }

        var publicRows: [Row]
        var recordBytes: String
        var fileBytes: String
        var person: String?
        var ownHref: String
        var ownBytes = ""
        var subscriptionsHref: String
        var subscriptionCount = 0
        var rows: [Row] = []
        var isMore = false
    }

    /// The maximum number of zones of one database on the page.
    private static let pageSize = 60

    func page(_ request: ScreenRequest) async throws -> PageContent {
        let place = try request.container()
        let service = request.service
        let space = try await service.containers.publicSpace(of: place.container, in: place.environment)
        let publicCaller = try request.caller()
        let zones = try await service.zones.list(in: .public, limit: Self.pageSize, by: publicCaller).zones
        let sizes = try await service.zones.sizes(of: zones.map(\.id), in: .public, by: publicCaller)
        var view = View(
            publicRows: zones.map { zone in
                Self.row(zone, .public, sizes, href: place.path("records"))
            }, recordBytes: UsageScreen.bytes(space.recordBytes),
            fileBytes: UsageScreen.bytes(space.assetBytes), ownHref: place.path("own"),
            subscriptionsHref: place.path("subscriptions"))
        if let caller = try await request.ownCaller(), let person = caller.userRecordName {
            view.person = person
            var budget = PageTextBudget(bytes: 55_000)
            view.ownBytes = UsageScreen.bytes(
                try await service.quotas.privateBytes(of: caller)?.used ?? 0)
            for scope in [DatabaseKind.private, .shared] {
                let list = try await service.zones.list(in: scope, limit: Self.pageSize, by: caller)
                view.isMore = view.isMore || list.marker != nil
                let sizes = try await service.zones.sizes(of: list.zones.map(\.id), in: scope, by: caller)
                for zone in list.zones {
                    let address = place.path("own", OwnPlace(scope, zone.id).address)
                    guard let href = budget.whole(address, bytes: 2000) else {
                        view.isMore = true
                        break
                    }
                    var row = Self.row(zone, scope, sizes, href: href)
                    row.zoneName = budget.shortened(row.zoneName, bytes: 100)
                    view.rows.append(row)
                }
            }
            for scope in DatabaseKind.allCases {
                view.subscriptionCount += try await service.pushes.subscriptions(in: scope, by: caller).count
            }
        }
        return PageContent(heading: Self.title, html: try Page.html(OwnTemplate.zones, view))
    }

    private static func row(
        _ zone: Zone, _ scope: DatabaseKind, _ sizes: [ZoneID: Int64], href: String
    ) -> View.Row {
        View.Row(
            href: href, database: scope.rawValue, zoneName: OwnScreen.name(of: zone.id),
            size: sizes[zone.id].map(UsageScreen.bytes) ?? "–",
            atomic: zone.isAtomic ? "all or nothing" : "each record by itself",
            token: zone.syncToken.map { Base64.encode($0.bytes) } ?? "has no change feed")
    }
}
