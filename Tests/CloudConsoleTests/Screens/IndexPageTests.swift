import CloudService
import Records
import RecordsWire
import Testing

@testable import ServerKit
@testable import TestKit

@Suite("The space of indexes in the console", .timeLimit(.minutes(30)))
struct IndexPageTests {
    private let indexes = ServerWorld.place + "/indexes?type=Party&field=name"
    private let type = ServerWorld.place + "/type?name=Party"

    /// An open server with many parties, whose name has all indexes and whose note can be searched.
    private func world(_ scenario: (ServerWorld, ConsoleVisitor) async throws -> Void) async throws {
        try await withServer(.loopback) { world in
            try await world.createContainer()
            try await world.importSchema(
                schemaText(
                    "name STRING QUERYABLE SORTABLE SEARCHABLE", "note STRING SEARCHABLE",
                    "cost INT64 QUERYABLE SORTABLE", "GRANT CREATE TO \"_icloud\""))
            let ann = try await world.signIn("ann")
            for page in 0..<4 {
                let parties = (0..<100).map { index in
                    let long = String(repeating: "\(index * 7) ", count: 20)
                    return create(
                        "p\(page)-\(index)",
                        ["name": text(long), "note": text("hot"), "cost": number(Int64(index))])
                }
                let saved = try await world.modify("public", parties, as: ann)
                try #require(Set(saved.records) == ["ok"], "\(saved.text)")
            }
            let visitor = ConsoleVisitor(world)
            _ = try await visitor.get("/console")
            try await scenario(world, visitor)
        }
    }

    /// What the page of a field says that dropping each index frees.
    private func frees(_ path: String, _ visitor: ConsoleVisitor) async throws -> [String: String] {
        let page = try await visitor.get(path)
        let rows = page.text.matches(of: /<th scope="row">(\w+)<\/th><td>([^<]*)</)
        return Dictionary(uniqueKeysWithValues: rows.map { (String($0.1), String($0.2)) })
    }

    @Test("The page of a type shows what the indexes of each field take up, and leads to their page")
    func sizes() async throws {
        try await world { _, visitor in
            let page = try await visitor.get(type)
            let sizes = page.text.matches(of: /aria-label="Indexes of (\w+): ([^"]*)"/)
                .reduce(into: [String: String]()) { $0[String($1.1)] = String($1.2) }
            #expect(sizes["name"]?.hasSuffix("kB, and words") == true, "\(sizes)")
            #expect(sizes["cost"]?.hasSuffix("kB") == true, "\(sizes)")
            #expect(sizes["note"] == "words", "\(sizes)")
            #expect(sizes["modifiedTimestamp"] == nil, "\(sizes)")
            #expect(page.text.contains("<strong>400</strong> records of"), "\(page.text)")
            let field = try await visitor.get(indexes)
            let size = try #require(field.text.firstMatch(of: /id="size">([^<]*)</)?.1)
            #expect(sizes["name"] == "\(size), and words")
        }
    }

    @Test("The review of a drop says what it frees, and the notice afterwards what was freed")
    func drop() async throws {
        try await world { world, visitor in
            let name = try await frees(indexes, visitor)
            #expect(name["queryable"] == "nothing: the others use its entries", "\(name)")
            #expect(name["searchable"]?.hasPrefix("a part of the ") == true, "\(name)")
            let drop: [(String, String)] = [
                ("action", "indexes"), ("field", "name"), ("was", "queryable"), ("was", "sortable"),
                ("was", "searchable"), ("index", "sortable"), ("index", "searchable"), ("reviewed", "1"),
            ]
            _ = try await visitor.post(type, pairs: drop)
            var page = try await visitor.get(indexes)
            #expect(page.text.contains("The indexes of name were set.</p>"), "\(page.text)")
            let next = try await frees(indexes, visitor)
            #expect(next["sortable"]?.hasSuffix("kB") == true, "\(next)")
            #expect(next["queryable"] == nil)
            let last: [(String, String)] = [
                ("action", "indexes"), ("field", "name"), ("was", "sortable"), ("was", "searchable"),
                ("index", "searchable"), ("reviewed", "1"),
            ]
            _ = try await visitor.post(type, pairs: last)
            page = try await visitor.get(indexes)
            let freed = try #require(page.text.firstMatch(of: /were set\. ([0-9.]+ kB) became free/)?.1)
            #expect(String(freed) == next["sortable"])
            #expect(page.text.contains("id=\"size\">0 bytes<"), "\(page.text)")
        }
    }

    @Test("The page of the type adds an index at once, and leads to the review before it drops one")
    func reviewFirst() async throws {
        try await world { world, visitor in
            func indexes() async throws -> IndexSet? {
                let schema = try await world.service.schemas.schema(of: "iCloud.test", in: .development)
                return schema.types["Party"]?.fields["note"]?.indexes
            }
            // The checkbox of searchable is cleared, and that of queryable is set.
            let form: [(String, String)] = [
                ("action", "indexes"), ("field", "note"), ("was", "searchable"), ("index", "queryable"),
            ]
            let answer = try await visitor.post(type, pairs: form)
            let review = try #require(answer.headers["Location"])
            #expect(review == ServerWorld.place + "/indexes?type=Party&field=note")
            #expect(try await indexes() == [.queryable, .searchable])
            let page = try await visitor.get(review)
            #expect(page.text.contains("Not dropped yet: searchable."), "\(page.text)")
            let forms = PageForm.all(of: page.text, at: review)
            let dropping = forms.first { form in
                form.pairs().contains { $0 == ("index", "queryable") }
            }
            let drop = try #require(dropping)
            _ = try await visitor.post(drop.action, pairs: [("action", "indexes")] + drop.pairs())
            #expect(try await indexes() == [.queryable])
        }
    }

    @Test("The reviews of an import and of a deployment say what the dropped indexes free")
    func reviews() async throws {
        try await world { world, visitor in
            let path = ServerWorld.place + "/schema"
            let less = schemaText(
                "name STRING QUERYABLE SORTABLE SEARCHABLE", "note STRING SEARCHABLE", "cost INT64",
                "GRANT CREATE TO \"_icloud\"")
            var page = try await visitor.post(path, ["action": "check", "text": less])
            let freed = try #require(page.text.firstMatch(of: /id="freed">[^<]*frees ([0-9.]+ kB)/)?.1)
            let reviewed = try #require(page.text.firstMatch(of: /name="reviewed" value="([^"]*)"/)?.1)
            _ = try await visitor.post(
                path, ["action": "import", "text": less, "reviewed": String(reviewed)])
            page = try await visitor.get(path)
            let notice = try #require(
                page.text.firstMatch(of: /imported: \d+ changes\. ([0-9.]+ kB) became free/)?.1,
                "\(page.text)")
            #expect(notice == freed)
            let first = try await visitor.get(ServerWorld.place + "/deploy")
            #expect(!first.text.contains("id=\"freed\""))
            _ = try await world.service.schemas.deploySchema(of: "iCloud.test", isTrial: false) {
                try SchemaSource(text: Array($0.text.utf8))
            }
            _ = try await visitor.post(
                type,
                pairs: [
                    ("action", "indexes"), ("field", "note"), ("was", "searchable"), ("reviewed", "1"),
                ])
            let second = try await visitor.get(ServerWorld.place + "/deploy")
            #expect(second.text.contains("id=\"freed\""), "\(second.text)")
        }
    }

    @Test("An unknown field has no page of indexes, and production shows no button")
    func unknown() async throws {
        try await world { _, visitor in
            for query in ["type=Party&field=none", "type=None&field=name", "field=name", "type=Party"] {
                let page = try await visitor.get(ServerWorld.place + "/indexes?" + query)
                #expect(page.status == 404, "\(query)")
            }
            let system = try await visitor.get(
                ServerWorld.place + "/indexes?type=Users&field=modifiedTimestamp")
            #expect(system.status == 200)
            let production = "/console/containers/iCloud.test/production/indexes?type=Users&field=roles"
            #expect(try await !visitor.get(production).text.contains("value=\"indexes\""))
        }
    }
}
