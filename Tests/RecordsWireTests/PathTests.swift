import Records
import RecordsWire
import Testing

@Suite("Paths and parameters")
struct PathTests {
    @Test("The path of every endpoint is parsed unchanged", arguments: Endpoint.allCases)
    func journey(endpoint: Endpoint) throws {
        let databases: [DatabaseKind?] =
            endpoint.isForDevices ? [nil] : endpoint.databases.map { $0 as DatabaseKind? }
        for database in databases {
            let path = RequestPath(
                container: "iCloud.org.example/ü", environment: .production, database: database,
                endpoint: endpoint
            )
            #expect(try RequestPath(path: path.text) == path)
        }
    }

    @Test("Paths have the documented form")
    func form() {
        let query = RequestPath(
            container: "iCloud.x.y", environment: .development, database: .public, endpoint: .recordsQuery
        )
        #expect(query.text == "/database/1/iCloud.x.y/development/public/records/query")
        let token = RequestPath(
            container: "iCloud.x.y", environment: .production, database: nil, endpoint: .tokensCreate
        )
        #expect(token.text == "/device/1/iCloud.x.y/production/tokens/create")
    }

    @Test("Tokens are also created under the path in Apple's documentation")
    func deviceUnderDatabase() throws {
        for path in [
            "/database/1/c/development/tokens/create", "/database/1/c/development/private/tokens/create",
        ] {
            #expect(try RequestPath(path: path).endpoint == .tokensCreate)
        }
    }

    @Test(
        "Invalid paths are refused with the reason",
        arguments: [
            ("", RecordError.Code.notFound), ("/", .notFound), ("/health", .notFound),
            ("/database/2/c", .notFound),
            ("/database/1", .notFound), ("/database/1/%FF/development/public/records/query", .notFound),
            ("/database/1/c", .badRequest), ("/database/1/c/staging/public/records/query", .badRequest),
            ("/database/1/c/development/mine/records/query", .badRequest),
            ("/database/1/c/development/public", .notFound),
            ("/database/1/c/development/public/records/upsert", .notFound),
            ("/database/1/c/development/public/records/query/more", .notFound),
            ("/database/1/c/development/public/zones/modify", .badDatabase),
            ("/database/1/c/development/shared/records/accept", .badDatabase),
            ("/database/1/c/development/users/caller", .badDatabase),
            ("/database/1/c/development/records/query", .badDatabase),
            ("/device/1/c/development/records/query", .badDatabase),
        ]
    )
    func refusal(path: String, code: RecordError.Code) {
        let error = #expect(throws: RecordError.self) { try RequestPath(path: path) }
        #expect(error?.code == code)
    }

    @Test(
        "Tokens in a query are decoded unchanged, whether their plus signs are encoded or not",
        arguments: ["ckWebAuthToken=a%2Bb%2F%3D", "ckWebAuthToken=a+b/=", "ckSession=a%2bb%2f%3d&x=1"]
    )
    func tokens(query: String) {
        #expect(RequestParameters(query: query).webAuthToken == "a+b/=")
    }

    @Test("Parameters are parsed unchanged")
    func parameters() {
        let parameters = RequestParameters(
            apiToken: "5f1c", webAuthToken: "106__54__a+b/==", clientID: "c 1&2", wantsSyncToken: true
        )
        #expect(RequestParameters(query: parameters.text) == parameters)
        #expect(RequestParameters().text == "")
        // A credential that cannot be decoded counts as invalid, not as missing.
        let unreadable = RequestParameters(query: "&&=&ckAPIToken&ckWebAuthToken=%FF&a=b=c")
        #expect(unreadable == RequestParameters(webAuthToken: "%FF"))
        #expect(RequestParameters(query: "getCurrentSyncToken=True").wantsSyncToken)
        #expect(RequestParameters(query: "ckAPIToken=100%&ckAPIToken=2").apiToken == "100%")
    }

    @Test("Header names ignore case, and an assignment replaces all values of a name")
    func headers() {
        var headers: CloudHeaders = ["Content-Type": "application/json", "Via": "a"]
        headers.add("via", "b")
        #expect(headers["CONTENT-TYPE"] == "application/json")
        #expect(headers["VIA"] == "a")
        headers["via"] = "c"
        #expect(headers.map(\.value) == ["application/json", "c"])
        headers["content-type"] = nil
        #expect(headers.lines.count == 1)
    }

    @Test("A parameter with more than 128 combining marks in a row is not decoded")
    func marks() {
        let marks = String(repeating: "%CC%81", count: 129)
        let parameters = RequestParameters(query: "\(marks)=1&clientId=a\(marks)&ckAPIToken=t\(marks)")
        #expect(parameters.clientID == nil)
        #expect(parameters.apiToken == "t" + marks)
        #expect(PercentEncoding.decode(String(repeating: "%CC%81", count: 128)) != nil)
        #expect(PercentEncoding.decode(String(repeating: "\u{301}", count: 129)) == nil)
    }
}
