import Records
import RecordsWire
import Testing

@Suite("Answers to the server's own calls")
struct ServerAnswerTests {
    private static let now = Timestamp(milliseconds: 1_700_000_000_123)

    private static let token = APIToken(
        id: "01", container: "iCloud.a", environment: .production, label: "web",
        allowedOrigins: ["https://a.example"], callback: .redirect("app:b"), created: now, revoked: now)

    private static let contents = ContainerDetails.Contents(
        privateDatabases: 2, bytes: 3, publicRecordBytes: 4, publicRecordBytesLimit: 5, publicAssetBytes: 6,
        publicAssetBytesLimit: nil)

    private static let report = ContainerReport(name: "iCloud.a", createdAt: now, warnings: ["short"])

    private static let answers: [any WireObject] = [
        DoneAnswer(), NameAnswer(name: "a"), IDAnswer(id: "b"), DeletionAnswer(name: "c"),
        ListAnswer([report]),
        ContainerDetails(container: report, users: 7, development: contents, production: contents),
        NewAPIToken(text: "secret", token: token),
        ListAnswer([
            token, APIToken(id: "2", container: "c", environment: .development, label: "", created: now),
        ]),
        ListAnswer([
            ServerKeyReport(
                ServerKey(
                    id: "k", container: "c", environment: .development, label: "l", publicKey: [1],
                    owner: "_u",
                    created: now))
        ]),
        PersonDetails(
            person: PersonReport(
                Account(
                    id: "x", name: "ann", email: "a@b.c", status: .restricted, created: now,
                    hasPassword: true, quotaBytes: 10)),
            privateBytes: 9, privateBytesLimit: 10,
            containers: [PersonDetails.ContainerUser(container: "iCloud.a", userRecordName: "_u")]),
        ListAnswer([
            RoleReport(name: "Admin", members: [RoleReport.Member(userRecordName: "_u", person: nil)])
        ]),
        RoleMembership(role: "Admin", userRecordName: "_u", isMember: true, hasChanged: false),
        RecordCount(records: 4),
        SchemaChange([
            SchemaChange.Item(SchemaDifference(.added, .role("r")), text: "+ r"),
            SchemaChange.Item(SchemaDifference(.removed, .type("t")), text: "- t"),
            SchemaChange.Item(SchemaDifference(.indexesChanged, .field("f", of: "t")), text: "~ f"),
        ]),
        SchemaGapsReport(
            gaps: [
                SchemaGapsReport.Item(
                    SchemaGap(type: "t", field: "f", index: "queryable", reason: "why", isRepaired: false),
                    command: "do")
            ],
            repaired: "DEFINE SCHEMA"),
        SignIn(webAuthToken: "t", userRecordName: "_u"), SignIn(webAuthToken: "t"),
        AddressCode("12345678"), OwnAccount(name: "ann"),
        OwnAccount(name: "ann", email: "a@b.c", phone: "+4912345", givenName: "Ann", familyName: "Lee"),
        FaultsReport(
            catalogue: [FaultsReport.Kind(name: "slow", summary: "s", endpoints: ["upload"], seconds: 1)],
            faults: [
                FaultsReport.Entry(
                    id: 1, name: "slow", endpoint: nil, device: "phone", first: 1, count: nil, seconds: 2,
                    matchingCalls: 3, affectedCalls: 4)
            ]),
        FaultsReport(faults: []),
        AccessReport(
            isAllowed: true, permission: .read, recordType: "t", recordName: nil,
            granted: [.world, .custom("a")],
            held: [.creator], explanation: "because"),
        RemovedZones(["a"]), RateAnswer(RequestRate(requests: 1, seconds: 2)), RateAnswer(nil),
        StorageReport(assetFiles: 1, privateBytes: 2, privateBytesLimit: 3),
        ListAnswer([
            PushTraceEntry(
                number: 1, at: now, container: "c", user: "u", notification: "n", subscription: "s",
                device: nil, outcome: .coalesced, reason: "r")
        ]),
        RequestPage([logged], answered: 12, kept: 10), ListAnswer([membership]),
        ServerFacts(
            limits: [ServerFacts.Limit("recordBytes", 1)],
            rates: [ServerFacts.Rate("person", RequestRate(requests: 1, seconds: 2))],
            software: ServerFacts.Software(name: "Cloudlet", version: "1", isOpen: false),
            quota: quota),
    ]

    private static var logged: LoggedRequest {
        var logged = LoggedRequest(
            at: now, operation: "records/modify", client: "app", status: 200, microseconds: 5)
        (logged.number, logged.person, logged.personName) = (12, "_u", "ann")
        logged.errors = [.accessDenied]
        return logged
    }

    private static var membership: AuditEntry {
        var entry = AuditEntry(
            number: 3, at: now, by: "ops", container: "iCloud.a", environment: .development,
            action: "grantRole", subject: "Admin: _u")
        entry.person = "ann"
        return entry
    }

    private static var quota: QuotaRules {
        var quota = QuotaRules()
        quota.publicAssetBytes = 1
        quota.publicRecordBytes = 2
        quota.publicAssetBytesPerUser = 3
        quota.publicRecordBytesPerUser = 4
        quota.mostUsers = 5
        quota.personBytes = 6
        quota.publicPersonPercent = 7
        return quota
    }

    @Test("Answers are decoded unchanged", arguments: answers.indices)
    func roundTrip(index: Int) throws {
        func check<Answer: WireObject>(_ answer: Answer) throws {
            #expect(try Answer(bytes: answer.encoded()) == answer)
        }
        try check(Self.answers[index])
    }

    @Test("Record types are decoded unchanged")
    func schema() throws {
        let source = try SchemaSource(
            text: Array(
                "DEFINE SCHEMA RECORD TYPE Party (name STRING QUERYABLE, GRANT READ TO \"_world\");".utf8))
        let report = SchemaReport(source.schema, in: .production, withText: true)
        #expect(try SchemaReport(bytes: report.encoded()) == report)
        #expect(report.types.map(\.name) == ["Party"])
        let told = SchemaReport(source.schema, in: .development, withText: false)
        #expect(try SchemaReport(bytes: told.encoded()) == told)
    }

    @Test(
        "An unreadable answer is an error",
        arguments: ["", "{", "[]", #"{"name":1}"#, #"{"name":null}"#, "<html>"])
    func unreadable(body: String) {
        let error = #expect(throws: RecordError.self) { try NameAnswer(bytes: Array(body.utf8)) }
        #expect(error?.code == .internalError)
    }

    @Test("A server may publish limits that a client does not know")
    func unknownFacts() throws {
        let facts = try ServerFacts(
            bytes: Array(#"{"moons":2,"tides":{"high":1},"requestRates":{},"recordBytes":10}"#.utf8))
        let silent = try ServerFacts(bytes: Array(#"{"server":{"name":"a","version":"1"}}"#.utf8))
        #expect(silent.software?.isOpen == nil && silent.software?.name == "a")
        #expect(facts.limit("recordBytes") == 10)
        #expect(facts.limit("moons") == 2)
        #expect(facts.software == nil)
        #expect(throws: RecordError.self) { try ServerFacts(bytes: Array(#"{"recordBytes":"many"}"#.utf8)) }
    }
}
