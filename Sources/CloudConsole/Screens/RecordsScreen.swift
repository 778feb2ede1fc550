import CloudHTTP
import CloudService
import Records
import RecordsWire

/// The query builder for public records, and a page of the records that it finds.
struct RecordsScreen: Screen {
    static let title = "Records"

    /// The maximum number of records on one page.
    private static let size = 20

    func page(_ visit: Visit) async throws -> PageContent {
        let place = try visit.container()
        let schema = try await visit.service.schemas.schema(of: place.container, in: place.environment)
        let input = QueryInput(visit.query)
        var view = RecordsView(input, schema, place)
        view.mayChange = visit.may(.developer)
        if !input.type.isEmpty {
            do {
                try await find(&view, input, schema, visit, place)
            } catch let error as RecordError where error.code != .internalError {
                view.queryProblem = Page.sentence(error)
            }
        }
        return PageContent(heading: Self.title, html: try Page.html(Template.records, view))
    }

    private func find(
        _ view: inout RecordsView, _ input: QueryInput, _ schema: Schema, _ visit: Visit,
        _ place: ConsolePlace
    ) async throws {
        if visit.query["marker"] != nil { view.firstHref = place.path("records", input.address) }
        let marker = try visit.marker()
        let request = QueryRequest(try input.query(in: schema), limit: Self.size, marker: marker)
        let answer = try await visit.service.records.query(request, in: .public, by: try visit.caller())
        let records = try await visit.decoded(answer.runs.flatMap(\.records))
        view.show(records, of: schema.types[input.type], place)
        view.map = DistanceMap.of(input, records)
        if let marker = answer.marker {
            view.nextHref = place.path("records", input.address + [("marker", Base64.encode(marker))])
        }
    }
}
