import CloudHTTP
import CloudService
import Records
import RecordsWire

/// The private database of the person as whom the operator has signed in. It leads to no other person's.
struct OwnScreen: Screen {
    static let title = "My private data"
    static let actions: [String: OperatorRole] = ["sign-in": .viewer, "sign-out": .viewer]

    private struct View: Sendable {
        struct Row: Sendable {
            var zone: String
            var name: String
            var text: String
        }

        var action: String
        var proof: String
        var person: String?
        var mayOmitPassword: Bool
        var typedName: String
        var zones: [String]
        var typeNames: [String]
        var type: String
        var hasAsked = false
        var rows: [Row] = []
        var nextHref: String?
    }

    func page(_ visit: Visit) async throws -> PageContent {
        let place = try visit.container()
        let service = visit.service
        var view = View(
            action: place.path("own"), proof: visit.proof, mayOmitPassword: service.isOpen,
            typedName: visit.typed("name"), zones: [], typeNames: [],
            type: visit.query.text("type") ?? "")
        let caller = try await Self.caller(visit, place)
        if let caller, let person = caller.userRecordName {
            view.person = person
            let zones = try await service.zones.list(in: .private, limit: 100, by: caller).zones
            view.zones = zones.map(\.id.name)
            let schema = try await service.schemas.schema(of: place.container, in: place.environment)
            view.typeNames = Array(schema.types.keys.sorted { $0.precedesInBytes($1) }.prefix(100))
            if !view.type.isEmpty { try await find(&view, visit, caller, place) }
        }
        return PageContent(heading: Self.title, html: try Page.html(Template.own, view))
    }

    /// The person as whom the operator has signed in; nil if the operator has not, or the session has ended.
    private static func caller(_ visit: Visit, _ place: ConsolePlace) async throws -> Caller? {
        let token = visit.service.operators.person(
            in: place.container, place.environment, for: visit.token)
        guard let token else { return nil }
        do {
            let caller = try await visit.service.credentials.caller(
                Credentials(webAuthToken: token), container: place.container, environment: place.environment)
            if let next = caller.nextToken, next != token {
                visit.service.operators.setPerson(
                    next, in: place.container, place.environment, for: visit.token)
            }
            return caller
        } catch let error as RecordError where error.code != .internalError {
            return nil
        }
    }

    private func find(
        _ view: inout View, _ visit: Visit, _ caller: Caller, _ place: ConsolePlace
    ) async throws {
        let marker = try visit.marker()
        let answer = try await visit.service.records.query(
            QueryRequest(Query(recordType: view.type), isZoneWide: true, limit: 20, marker: marker),
            in: .private, by: caller)
        var budget = TextBudget(bytes: 50_000)
        view.hasAsked = true
        for stored in answer.runs.flatMap(\.records) {
            let record = try stored.decoded(by: FieldJSON())
            view.rows.append(
                View.Row(
                    zone: budget.shortened(record.id.zone.name, most: 60),
                    name: budget.shortened(record.id.name, most: 60),
                    text: budget.shortened(record.fields.auditText, most: 400)))
        }
        if let marker = answer.marker {
            view.nextHref = place.path("own", [("type", view.type), ("marker", Base64.encode(marker))])
        }
    }

    func act(_ action: String, _ form: FormFields, _ visit: Visit) async throws -> Outcome {
        let place = try visit.container()
        let service = visit.service
        let before = service.operators.person(in: place.container, place.environment, for: visit.token)
        if action == "sign-out" {
            if let before { try await service.sessions.end(of: before) }
            service.operators.setPerson(nil, in: place.container, place.environment, for: visit.token)
            return .leads(to: place.path("own"), notice: "You have signed out.")
        }
        let attempt = SignInAttempt(
            name: try form.required("name"), password: form["password"] ?? "", staysSignedIn: false,
            address: visit.clientKey)
        let signIn = try await service.people.signIn(
            attempt, container: place.container, environment: place.environment)
        service.operators.setPerson(
            signIn.webAuthToken, in: place.container, place.environment, for: visit.token)
        if let before { try await service.sessions.end(of: before) }
        return .leads(to: place.path("own"), notice: "You have signed in.")
    }
}
