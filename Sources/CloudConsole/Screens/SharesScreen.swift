import CloudHTTP
import CloudService
import Records
import RecordsWire

/// The shares of the person as whom the operator has signed in: those of the person's own private database,
/// or those in which others have given the person a part. Nobody else's shares are shown.
struct SharesScreen: Screen {
    static let title = "My shares"

    private struct View: Sendable {
        struct Row: Sendable {
            var href: String
            var title: String
            var zoneName: String
            /// The address of the record that is shared with all below it; nil for a share of a whole zone.
            var rootHref: String?
            var share: ShareView
        }

        var person: String?
        var ownHref: String
        var databases: [PageLink] = []
        var isOwner = true
        var problem: String?
        var rows: [Row] = []
        var nextHref: String?
    }

    /// The maximum number of shares on the page of one's own, and of one zone of somebody else.
    private static let pageSize = 20
    /// The maximum number of zones of other people on one page.
    private static let zoneCount = 10
    /// The maximum number of participants of one share on the page.
    private static let participants = 10

    func page(_ request: ScreenRequest) async throws -> PageContent {
        let place = try request.container()
        var view = View(ownHref: place.path("own"))
        if let caller = try await request.ownCaller(), let person = caller.userRecordName {
            let scope = OwnPlace(request.query).scope
            view.person = person
            view.isOwner = scope == .private
            let labels = [(DatabaseKind.private, "I share"), (.shared, "shared with me")]
            view.databases = labels.map { kind, label in
                PageLink(
                    href: place.path("shares", OwnPlace(kind).address), label: label,
                    isCurrent: kind == scope)
            }
            let schema = try await request.service.schemas.schema(of: place.container, in: place.environment)
            // The first share that anybody saves adds the type to the schema.
            if schema.types[Share.recordType] != nil {
                do {
                    try await find(&view, in: scope, request, caller, place)
                } catch let error as RecordError where error.code != .internalError {
                    view.problem = Page.sentence(error)
                }
            }
        }
        return PageContent(heading: Self.title, html: try Page.html(OwnTemplate.shares, view))
    }

    private func find(
        _ view: inout View, in scope: DatabaseKind, _ request: ScreenRequest, _ caller: Caller,
        _ place: ConsolePlace
    ) async throws {
        var budget = PageTextBudget(bytes: 60_000)
        let marker = try request.marker()
        var next: [UInt8]?
        if scope == .private {
            next = try await show(OwnPlace(.private), marker, &view, &budget, request, caller, place)
        } else {
            let zones = try await request.service.zones.list(
                in: .shared, limit: Self.zoneCount, marker: marker, by: caller)
            for zone in zones.zones {
                _ = try await show(OwnPlace(.shared, zone.id), nil, &view, &budget, request, caller, place)
            }
            next = zones.marker
        }
        view.nextHref = next.map {
            place.path("shares", OwnPlace(scope).address + [("marker", Base64.encode($0))])
        }
    }

    /// Adds the shares of a database or zone to the page. Returns the marker of the next ones.
    private func show(
        _ own: OwnPlace, _ marker: [UInt8]?, _ view: inout View, _ budget: inout PageTextBudget,
        _ request: ScreenRequest, _ caller: Caller, _ place: ConsolePlace
    ) async throws -> [UInt8]? {
        let query = QueryRequest(
            Query(recordType: Share.recordType), zone: own.zone, isZoneWide: own.zone == nil,
            limit: Self.pageSize, marker: marker)
        let answer = try await request.service.records.query(query, in: own.scope, by: caller)
        for record in try await request.decoded(answer.runs.flatMap(\.records)) {
            guard let terms = record.sharing?.terms else { continue }
            let home = own.place(of: record, zone: nil)
            func href(_ name: String) -> String? {
                budget.whole(place.path("own-record", home.address + [("name", name)]), bytes: 3000)
            }
            guard let address = href(record.id.name) else { return nil }
            view.rows.append(
                View.Row(
                    href: address, title: Self.title(of: record, &budget),
                    zoneName: budget.shortened(OwnScreen.name(of: home.zone ?? record.id.zone), bytes: 100),
                    rootHref: terms.root.flatMap { href($0) },
                    share: ShareView(record.id.name, terms, participants: Self.participants, &budget)))
        }
        return answer.marker
    }

    /// The title that the app gave to a share; its record name if it has none.
    private static func title(of record: Record, _ budget: inout PageTextBudget) -> String {
        var title = record.id.name
        if let field = record.fields[Share.titleField], !field.isEncrypted,
            case .string(let text) = field.value, !text.isEmpty
        {
            title = text
        }
        return budget.shortened(title, bytes: 200)
    }
}
