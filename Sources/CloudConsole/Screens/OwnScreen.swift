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
        var action: String
        var csrfToken: String
        var person: String?
        var mayOmitPassword: Bool
        var typedName: String
        var databases: [PageLink] = []
        var zones: [PageLink] = []
        var zonesHref: String
        var needsZone = false
        /// The query builder; nil until a zone is chosen.
        var query: RecordsView?
    }

    func page(_ request: ScreenRequest) async throws -> PageContent {
        let place = try request.container()
        let service = request.service
        var view = View(
            action: place.path("own"), csrfToken: request.csrfToken, mayOmitPassword: service.isOpen,
            typedName: request.typed("name"), zonesHref: place.path("zones"))
        if let caller = try await request.ownCaller(), let person = caller.userRecordName {
            view.person = person
            let own = OwnPlace(request.query)
            view.databases = [DatabaseKind.private, .shared].map {
                PageLink(
                    href: place.path("own", OwnPlace($0).address), label: $0.rawValue,
                    isCurrent: $0 == own.scope)
            }
            let zones = try await service.zones.list(in: own.scope, limit: 60, by: caller).zones
            var budget = PageTextBudget(bytes: 15_000)
            view.zones = zones.compactMap { zone in
                let chosen = OwnPlace(own.scope, zone.id)
                return budget.whole(place.path("own", chosen.address), bytes: 2000).map { href in
                    PageLink(
                        href: href, label: budget.shortened(Self.name(of: zone.id), bytes: 100),
                        isCurrent: chosen.zone == own.zone)
                }
            }
            view.needsZone = own.scope == .shared && own.zone == nil
            if !view.needsZone { view.query = try await query(own, request, caller, place) }
        }
        return PageContent(heading: Self.title, html: try Page.html(OwnTemplate.own, view))
    }

    /// The name of a zone, with its owner if that is somebody else.
    static func name(of zone: ZoneID) -> String {
        zone.owner.map { "\(zone.name) of \($0)" } ?? zone.name
    }

    /// The query builder with the records that it finds.
    private func query(
        _ own: OwnPlace, _ request: ScreenRequest, _ caller: Caller, _ place: ConsolePlace
    ) async throws -> RecordsView {
        let schema = try await request.service.schemas.schema(of: place.container, in: place.environment)
        let input = QueryInput(request.query)
        var view = RecordsView(input, schema, place, own: own)
        let scope = RecordQuery.Scope(
            database: own.scope, zone: own.zone, isZoneWide: own.zone == nil, caller: caller)
        try await RecordQuery(input: input, schema: schema, request: request, place: place)
            .run(in: scope, own: own, &view)
        return view
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
