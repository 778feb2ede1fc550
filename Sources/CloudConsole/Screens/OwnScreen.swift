import CloudHTTP
import CloudService
import Records
import RecordsWire

/// The private database of the person as whom the operator has signed in, and the records that others share
/// with that person. No other person's private data is shown.
struct OwnScreen: Screen {
    static let title = "My private data"
    static let actions: [String: OperatorRole] = ["sign-in": .viewer, "sign-out": .viewer]
    static let unlogged: Set<String> = ["sign-in", "sign-out"]

    private struct View: Sendable {
        struct Row: Sendable {
            var href: String
            var zone: String
            var name: String
            var recordType: String
            var text: String
        }

        var action: String
        var csrfToken: String
        var person: String?
        var mayOmitPassword: Bool
        var typedName: String
        var databases: [PageLink] = []
        var zones: [PageLink] = []
        var zonesHref: String
        var needsZone = false
        var hidden: [Hidden] = []
        var typeNames: [String] = []
        var type: String
        var hasAsked = false
        var rows: [Row] = []
        var nextHref: String?
    }

    /// A field of a form that is not shown.
    private struct Hidden: Sendable {
        var hiddenName: String
        var hiddenValue: String
    }

    func page(_ request: ScreenRequest) async throws -> PageContent {
        let place = try request.container()
        let service = request.service
        var view = View(
            action: place.path("own"), csrfToken: request.csrfToken, mayOmitPassword: service.isOpen,
            typedName: request.typed("name"), zonesHref: place.path("zones"),
            type: request.query.text("type") ?? "")
        if let caller = try await request.ownCaller(), let person = caller.userRecordName {
            view.person = person
            let own = OwnPlace(request.query)
            view.databases = [DatabaseKind.private, .shared].map {
                PageLink(
                    href: place.path("own", OwnPlace($0).address), label: $0.rawValue,
                    isCurrent: $0 == own.scope)
            }
            let zones = try await service.zones.list(in: own.scope, limit: 60, by: caller).zones
            var budget = PageTextBudget(bytes: 20_000)
            view.zones = zones.compactMap { zone in
                let chosen = OwnPlace(own.scope, zone.id)
                return budget.whole(place.path("own", chosen.address), bytes: 2000).map { href in
                    PageLink(
                        href: href, label: budget.shortened(Self.name(of: zone.id), bytes: 100),
                        isCurrent: chosen.zone == own.zone)
                }
            }
            view.hidden = own.address.map { Hidden(hiddenName: $0.0, hiddenValue: $0.1) }
            view.needsZone = own.scope == .shared && own.zone == nil
            let schema = try await service.schemas.schema(of: place.container, in: place.environment)
            view.typeNames = RecordsView.suggested(schema.types.keys.sorted { $0.precedesInBytes($1) })
            if !view.type.isEmpty, !view.needsZone { try await find(&view, own, request, caller, place) }
        }
        return PageContent(heading: Self.title, html: try Page.html(OwnTemplate.own, view))
    }

    /// The name of a zone, with its owner if that is somebody else.
    static func name(of zone: ZoneID) -> String {
        zone.owner.map { "\(zone.name) of \($0)" } ?? zone.name
    }

    private func find(
        _ view: inout View, _ own: OwnPlace, _ request: ScreenRequest, _ caller: Caller, _ place: ConsolePlace
    ) async throws {
        let marker = try request.marker()
        let answer = try await request.service.records.query(
            QueryRequest(
                Query(recordType: view.type), zone: own.zone, isZoneWide: own.zone == nil, limit: 20,
                marker: marker),
            in: own.scope, by: caller)
        var budget = PageTextBudget(bytes: 25_000)
        view.hasAsked = true
        for record in try await request.decoded(answer.runs.flatMap(\.records)) {
            var home = own
            home.zone = own.scope == .shared ? own.zone : ZoneID(name: record.id.zone.name)
            view.rows.append(
                View.Row(
                    href: place.path("own-record", home.address + [("name", record.id.name)]),
                    zone: budget.shortened(record.id.zone.name, bytes: 60),
                    name: budget.shortened(record.id.name, bytes: 60),
                    recordType: budget.shortened(record.type, bytes: 60),
                    text: budget.shortened(record.fields.lines(bytes: 400), bytes: 400)))
        }
        if let marker = answer.marker {
            view.nextHref = place.path(
                "own", own.address + [("type", view.type), ("marker", Base64.encode(marker))])
        }
    }

    func act(_ action: String, _ form: FormFields, _ request: ScreenRequest) async throws -> Outcome {
        let place = try request.container()
        let service = request.service
        let before = service.operators.person(in: place.container, place.environment, for: request.token)
        if action == "sign-out" {
            if let before { try await service.sessions.end(of: before) }
            service.operators.setPerson(nil, in: place.container, place.environment, for: request.token)
            return .redirect(to: place.path("own"), notice: "You have signed out.")
        }
        let attempt = SignInAttempt(
            name: try form.required("name"), password: form["password"] ?? "", staysSignedIn: false,
            address: request.clientKey)
        let signIn = try await service.people.signIn(
            attempt, container: place.container, environment: place.environment)
        service.operators.setPerson(
            signIn.webAuthToken, in: place.container, place.environment, for: request.token)
        if let before { try await service.sessions.end(of: before) }
        return .redirect(to: place.path("own"), notice: "You have signed in.")
    }
}
