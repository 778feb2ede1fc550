import CloudHTTP
import CloudService
import Records
import RecordsWire

/// The query builder for public records, and a page of the records that it finds.
struct RecordsScreen: Screen {
    static let title = "Records"

    func page(_ request: ScreenRequest) async throws -> PageContent {
        let place = try request.container()
        let schema = try await request.service.schemas.schema(of: place.container, in: place.environment)
        let input = QueryInput(request.query)
        var view = RecordsView(input, schema, place)
        view.mayChange = request.may(.developer)
        let scope = RecordQuery.Scope(
            database: .public, zone: nil, isZoneWide: false, caller: try request.caller())
        try await RecordQuery(input: input, schema: schema, request: request, place: place)
            .run(in: scope, own: nil, &view)
        return PageContent(heading: Self.title, html: try Page.html(Template.records, view))
    }
}

/// Runs the query of a query builder, and shows a page of its records.
struct RecordQuery: Sendable {
    /// The records in which a query searches, and the caller that reads them.
    struct Scope: Sendable {
        var database: DatabaseKind
        var zone: ZoneID?
        var isZoneWide: Bool
        var caller: Caller
    }

    let input: QueryInput
    let schema: Schema
    let request: ScreenRequest
    let place: ConsolePlace

    /// The maximum number of records on one page.
    private static let pageSize = 20

    /// Adds the records to the page, or the reason why there are none. A builder in which no type is filled
    /// in asks for nothing.
    func run(in scope: Scope, own: OwnPlace?, _ view: inout RecordsView) async throws {
        if input.type.isEmpty { return }
        do {
            try await find(in: scope, own, &view)
        } catch let error as RecordError where error.code != .internalError {
            view.queryProblem = Page.sentence(error)
        }
    }

    private func find(in scope: Scope, _ own: OwnPlace?, _ view: inout RecordsView) async throws {
        let address = (own?.address ?? []) + input.address
        let section = own == nil ? "records" : "own"
        if request.query["marker"] != nil { view.firstHref = place.path(section, address) }
        let marker = try request.marker()
        let query = QueryRequest(
            try input.query(in: schema), zone: scope.zone, isZoneWide: scope.isZoneWide,
            limit: Self.pageSize, marker: marker)
        let answer = try await request.service.records.query(query, in: scope.database, by: scope.caller)
        let records = try await request.decoded(answer.runs.flatMap(\.records))
        view.show(records, of: schema.types[input.type], place, own: own)
        view.map = DistanceMap.of(input, records)
        if let marker = answer.marker {
            view.nextHref = place.path(section, address + [("marker", Base64.encode(marker))])
        }
    }
}
