import Records
import RecordsWire
import Testing

@Suite("The server's own calls")
struct ServerCallTests {
    private static let filter: RequestFilter = {
        var filter = RequestFilter()
        (filter.container, filter.environment) = ("iCloud.a&b", .production)
        (filter.operation, filter.errors) = ("records/query", [.conflict, .accessDenied])
        (filter.person, filter.device, filter.recordName) = ("_ann", "phone", "p 1")
        (filter.after, filter.before) = (3, 9)
        return filter
    }()

    /// One value of each call, with all its optional parts.
    static let calls: [any ServerCall] = [
        ReadServerFacts(), CheckLiveness(), CheckReadiness(), ListContainers(), CreateContainer("iCloud.a"),
        ReadContainer("iCloud.ü/b"), ListCreators(of: "iCloud.a", .production),
        ListCreators(of: "iCloud.a", .development, after: "12:_a:b"),
        SetContainerFallback("iCloud.a", fallbackURL: "https://a.example/open/"),
        SetContainerFallback("iCloud.a", fallbackURL: nil),
        DeleteContainer("iCloud.a"), ListTokens(of: "iCloud.a"),
        CreateToken(
            for: "iCloud.a", .production, label: "web", allowedOrigins: ["https://a.example"],
            callback: .redirect("https://a.example/b?c=d")),
        CreateToken(for: "iCloud.a", .development), RevokeToken(id: "01"), ListKeys(of: "iCloud.a"),
        RegisterKey(for: "iCloud.a", .production, label: "server", publicKey: "-----BEGIN\n"),
        RevokeKey(id: "ab"), ListPeople(), AddPerson("ann"),
        AddPerson(
            "ann", email: "ann@example.org", phone: "+1", givenName: "Ann", familyName: "Bo", password: "p"),
        ReadPerson("ann@example.org"), SetPersonStatus("ann", status: .restricted),
        SetPersonQuota("ann", quotaBytes: 20_000_000_000), SetPersonQuota("ann", quotaBytes: nil),
        SetPersonPassword("ann", password: "new"), SetPersonPassword("ann", password: nil),
        SignOutPerson("ann"), DeletePerson("ann"), ReadSchema(of: "iCloud.a", .production),
        ImportSchema(SchemaInput("DEFINE SCHEMA", for: "iCloud.a")),
        ValidateSchema(SchemaInput("DEFINE SCHEMA", for: "iCloud.a")),
        CompareSchema(SchemaInput("DEFINE SCHEMA", for: "iCloud.a", .production)),
        CheckSchema(SchemaInput("DEFINE SCHEMA", for: "iCloud.a")),
        DeploySchema(of: "iCloud.a", isTrial: true),
        DeploySchema(of: "iCloud.a"), ResetSchema(of: "iCloud.a"),
        SetIndex(.sortable, on: "year", of: "Party", in: "iCloud.a"),
        SetIndex(.searchable, on: "name", of: "Party", in: "iCloud.a", isThere: false),
        CountPart(SchemaPart("Party", field: "year", in: "iCloud.a")),
        DeletePart(SchemaPart("Party", in: "iCloud.a")),
        SetGrant(.write, on: "Party", to: "Admin", in: "iCloud.a", isThere: false),
        ListRoles(of: "iCloud.a", .development), CreateRole("Admin", in: "iCloud.a"),
        GrantRole(RoleCandidate("Admin", person: "ann", in: "iCloud.a", .production)),
        RevokeRole(RoleCandidate("Admin", person: "ann", in: "iCloud.a", .development)),
        ListOperators(), SetOperator("ops", role: .viewer),
        SetOperator("ops", role: .developer, in: "iCloud.a", password: "p"), RemoveOperator("ops"),
        SetOperator("ops", role: nil, in: "iCloud.a"),
        MakeConsoleLink(), ReadAudit(), ReadAudit(of: "iCloud.a", before: 7),
        ReadRequests(), ReadRequests(filter),
        ReadTelemetry(TelemetryQuery()),
        ReadTelemetry(
            TelemetryQuery(
                container: "iCloud.a", environment: .production, scope: .private,
                operation: "records/query", period: .week)),
        SignInByName("ann"), SignInByName("ann", container: "iCloud.a"), ListFaults(),
        ChangeFaults(clearsAll: true), ChangeFaults(removing: 3),
        ChangeFaults(
            adding: ChangeFaults.Addition(
                "slow", endpoint: "records/modify", device: "phone", first: 2, count: 3, seconds: 4)),
        ExplainAccess(.read, recordName: "r", in: "iCloud.a", .production),
        RemoveZones(because: .purged, in: "iCloud.a"),
        RemoveZones(["a", "b"], because: .encryptedDataReset, in: "iCloud.a", .production),
        DescribeAccount(in: "iCloud.a", email: "a@b.c", password: "p"),
        SetRate(RequestRate(requests: 5, seconds: 2)), SetRate(nil), ReadTypes(of: "iCloud.a&b", .production),
        ReadStorage(of: "iCloud.a"), ReadPushTrace(), ReadPushTrace(from: 7),
        SignInWithPassword(
            container: "iCloud.a", environment: .production, name: "ann", password: "p", staysSignedIn: true),
        FetchWebToken(container: "iCloud.a", environment: .development, apiToken: "t"), EndSession(),
        RequestAddressCode(
            container: "iCloud.a", environment: .production, shortGUID: "g", address: .email("a@b.c")),
        ConfirmAddress(
            container: "iCloud.a", environment: .development, address: .phone("+4912345"), code: "12345678"),
    ]

    @Test("Calls are decoded unchanged", arguments: calls.indices)
    func roundTrip(index: Int) throws {
        func check<Call: ServerCall>(_ call: Call) throws {
            let request = CloudRequest(call, as: RequestParameters(webAuthToken: "a+b"))
            let parts = request.target.split(separator: "?", maxSplits: 1)
            let found = try #require(
                ServerEndpoint.find(request.method.rawValue, String(parts.first ?? "")))
            #expect(found.endpoint == Call.endpoint)
            var body = Array("{}".utf8)
            if case .bytes(let bytes) = request.body { body = bytes }
            let reader = CallReader(
                parameters: found.parameters, query: parts.count > 1 ? String(parts[1]) : "",
                body: try JSONDocument(body).root)
            #expect(try Call(reading: reader) == call)
            #expect(RequestParameters(query: String(parts.last ?? "")).webAuthToken == "a+b")
        }
        try check(Self.calls[index])
    }

    @Test("This suite covers every endpoint that answers with JSON")
    func complete() {
        let tested = Set(Self.calls.map { type(of: $0).endpoint })
        let others: Set<ServerEndpoint> = [
            .push(.poll), .push(.stream), .push(.leave), .signIn(.page), .signIn(.form), .share(.page),
            .share(.form), .metrics,
        ]
        #expect(Set(ServerEndpoint.allCases).subtracting(tested) == others)
    }

    @Test("An invalid parameter of the path or query is refused by its name")
    func unreadable() throws {
        let reader = CallReader(
            parameters: ["name": "a%00", "environment": "moon"], query: "container=%00",
            body: try JSONDocument(Array("{}".utf8)).root)
        #expect(throws: RecordError(.badRequest, "the path contains no name", culprit: "name")) {
            try ReadPerson(reading: reader)
        }
        #expect(throws: RecordError.self) { try reader.environment() }
        #expect(throws: RecordError.self) { try ReadStorage(reading: reader) }
        #expect(reader.encodedQuery("container") == "%00")
    }
}
