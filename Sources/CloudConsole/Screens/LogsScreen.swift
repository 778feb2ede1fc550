import CloudHTTP
import CloudService
import Records
import RecordsWire

/// The last requests that the server has answered: of a container, or of the whole server.
struct LogsScreen: Screen {
    static let title = "Logs"

    private struct View: Sendable {
        struct Row: Sendable {
            var when: String
            var operation: String
            var location: String
            var person: String
            var device: String
            var status: String
            var size: String
            var time: String
            var names: String
            var explanations: [Explanation]
        }

        struct Explanation: Sendable {
            var code: String
            var reason: String
            var cause: String
            var remedy: String
        }

        var action: String
        var isFollowing: Bool
        var followHref: String
        var stopHref: String
        var inputs: [Input]
        var errorOptions: [RecordsView.Option]
        var rows: [Row]
        /// Whether the server has answered older requests that it no longer keeps.
        var hasForgotten: Bool
        var olderHref: String?
    }

    /// An input of the filter.
    private struct Input: Sendable {
        var inputName: String
        var inputLabel: String
        var inputValue: String
    }

    /// The maximum number of requests on one page.
    private static let pageSize = 40
    /// The interval in seconds at which a page with "Follow" is loaded again.
    private static let followSeconds = 5

    /// The inputs of the filter: name, label and current value.
    private static func inputs(of filter: RequestFilter) -> [(String, String, String?)] {
        [
            ("operation", "Operation", filter.operation),
            ("person", "Person (user record name)", filter.person),
            ("device", "Device", filter.device), ("record", "Public record", filter.recordName),
        ]
    }

    func page(_ request: ScreenRequest) async throws -> PageContent {
        var filter = RequestFilter()
        filter.container = request.place?.container
        filter.environment = request.place?.environment
        filter.operation = request.query.text("operation")
        filter.person = request.query.text("person")
        filter.device = request.query.text("device")
        filter.recordName = request.query.text("record")
        var address = Self.inputs(of: filter).compactMap { name, _, text in text.map { (name, $0) } }
        let error = request.query.text("error")
        filter.errors = error.map { RecordError.Code.codes(named: $0) } ?? []
        if let error, !filter.errors.isEmpty { address.append(("error", error)) }
        filter.before = request.query.text("before").flatMap { Int64($0) }
        let isFollowing = request.query["follow"] != nil && filter.before == nil
        let page = request.service.history.page(filter)
        let requests = page.requests
        let shown = requests.prefix(Self.pageSize)
        var budget = PageTextBudget(bytes: 45_000)
        var explained: Set<RecordError.Code> = []
        let rows = shown.map { Self.row($0, isOfServer: request.place == nil, &budget, &explained) }
        let last =
            requests.count > shown.count || requests.count == RequestFilter.pageSize ? shown.last : nil
        let view = View(
            action: Self.path(request, []), isFollowing: isFollowing,
            followHref: Self.path(request, address + [("follow", "1")]),
            stopHref: Self.path(request, address),
            inputs: Self.inputs(of: filter).map { name, label, text in
                Input(
                    inputName: name, inputLabel: label,
                    inputValue: budget.shortened(text ?? "", bytes: 300))
            },
            errorOptions: Self.errorOptions(filter.errors.isEmpty ? nil : error),
            rows: rows, hasForgotten: page.hasForgotten,
            olderHref: last.map { Self.path(request, address + [("before", "\($0.number)")]) })
        return PageContent(
            heading: Self.title, html: try Page.html(Template.logs, view),
            refreshSeconds: isFollowing ? Self.followSeconds : nil)
    }

    /// The errors to choose from. The protocol's name of an error, which may stand for several of them, is an
    /// option if the address has it.
    private static func errorOptions(_ chosen: String?) -> [RecordsView.Option] {
        let codes = RecordError.Code.allCases.map(\.rawValue)
        let others = [chosen].compactMap(\.self).filter { !codes.contains($0) }
        return [RecordsView.Option(value: "", label: "any or none", isSelected: chosen == nil)]
            + (codes + others).map {
                RecordsView.Option(value: $0, label: $0, isSelected: $0 == chosen)
            }
    }

    private static func path(_ request: ScreenRequest, _ query: [(String, String)]) -> String {
        request.place?.path("logs", query) ?? Address.path("logs") + Address.query(query)
    }

    private static func row(
        _ request: LoggedRequest, isOfServer: Bool, _ budget: inout PageTextBudget,
        _ explained: inout Set<RecordError.Code>
    ) -> View.Row {
        // On the page of a container, all requests are to that container, so it is not shown.
        let place = isOfServer ? [request.container, request.environment?.rawValue] : []
        let sizes = [request.requestBytes, request.responseBytes].map { count in
            count.map { UsageScreen.bytes(Int64($0)) } ?? "–"
        }
        return View.Row(
            when: ValueText.text(of: request.at), operation: request.operation,
            location: budget.shortened(
                (place + [request.database?.rawValue]).compactMap(\.self).joined(separator: " "), bytes: 150),
            person: budget.shortened(request.person ?? "", bytes: 60),
            device: budget.shortened(request.device ?? "", bytes: 60), status: "\(request.status)",
            size: sizes.joined(separator: " / "), time: "\(request.microseconds / 1000) ms",
            names: budget.shortened(request.recordNames.joined(separator: ", "), bytes: 200),
            explanations: request.errors.prefix(3).map { code in
                // Each explanation is shown only once on a page.
                let isNew = explained.insert(code).inserted
                return View.Explanation(
                    code: code.rawValue, reason: budget.shortened(request.reason ?? "", bytes: 200),
                    cause: isNew ? code.guide.cause : "", remedy: isNew ? code.guide.remedy : "")
            })
    }
}
