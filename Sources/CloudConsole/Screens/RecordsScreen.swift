import CloudHTTP
import CloudService
import Records
import RecordsWire

/// The query builder for public records, and a page of the records that it finds.
struct RecordsScreen: Screen {
    static let title = "Records"

    /// The maximum number of records on one page.
    private static let pageSize = 20

    func page(_ request: ScreenRequest) async throws -> PageContent {
        let place = try request.container()
        let schema = try await request.service.schemas.schema(of: place.container, in: place.environment)
        let input = QueryInput(request.query)
        var view = RecordsView(input, schema, place)
        view.mayChange = request.may(.developer)
        if !input.type.isEmpty {
            do {
                try await find(&view, input, schema, request, place)
            } catch let error as RecordError where error.code != .internalError {
                view.queryProblem = Page.sentence(error)
            }
        }
        return PageContent(heading: Self.title, html: try Page.html(Template.records, view))
    }

    private func find(
        _ view: inout RecordsView, _ input: QueryInput, _ schema: Schema, _ request: ScreenRequest,
        _ place: ConsolePlace
    ) async throws {
        if request.query["marker"] != nil { view.firstHref = place.path("records", input.address) }
        let marker = try request.marker()
        let query = QueryRequest(try input.query(in: schema), limit: Self.pageSize, marker: marker)
        let answer = try await request.service.records.query(query, in: .public, by: try request.caller())
        let records = try await request.decoded(answer.runs.flatMap(\.records))
        view.show(records, of: schema.types[input.type], place)
        view.map = DistanceMap.of(input, records)
        if let marker = answer.marker {
            view.nextHref = place.path("records", input.address + [("marker", Base64.encode(marker))])
        }
    }
}
