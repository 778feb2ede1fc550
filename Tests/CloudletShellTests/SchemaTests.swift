import Foundation
import Testing

@testable import CloudletShell
@testable import ClownCentral
@testable import CommandShell
@testable import ShellKit
@testable import TestKit

@Suite("The schema at the shell")
struct SchemaTests {
    @Test("record types are listed with the numbers of fields and indexes; one type with its fields")
    func shown() async throws {
        try await ShellWorld.run { world in
            let empty = await world.type("schema", "expect none")
            #expect(empty[0].rendering.messages.contains("a save creates one"))
            let outcomes = await world.type(
                "as alice", "record save Prop hoop name=Hoop weight=3", "schema", "expect type = Prop",
                "expect fields = 2", "expect indexes = 15", "\\d Prop", "expect count 8",
                "expect field = name", "expect searchable = true", "expect field[2] = weight",
                "expect type[2] = INT64", "expect sortable[2] = true", "expect searchable[2] = false",
                "expect field[3] = creationDate", "expect schemaName[3] = ___createTime",
                "expect schemaName = none", "expect fields = 2")
            #expect(outcomes.compactMap(\.shellError).isEmpty, "\(outcomes.compactMap(\.shellError))")
            let messages = outcomes[6].rendering.messages
            #expect(messages == "in public: _creator may write; _icloud may create; _world may read\n")
            let json = await world.data("schema Prop --json")
            let name =
                #"{"field":"name","type":"STRING","queryable":true,"sortable":true,"searchable":true"#
            #expect(json.hasPrefix("[" + name))
        }
    }

    @Test("the schema of production is separate, and an unknown type is answered with suggestions")
    func missing() async throws {
        try await ShellWorld.run { world in
            await world.type("as alice", "record save Prop hoop name=Hoop", "environment production")
            let outcome = await world.runner.run("schema Prop")
            #expect(outcome.shellError?.code == "notFound")
            #expect(outcome.shellError?.message.contains("production of iCloud") == true)
            await world.type("environment development")
            #expect(await world.runner.run("schema Prob").shellError?.suggestions == ["schema Prop"])
            #expect(await world.runner.run("schema dploy").shellError?.suggestions == ["schema deploy"])
            let verb = await world.runner.run("schema gant Prop create _world").shellError
            #expect(verb?.suggestions == ["schema grant"])
            #expect(await world.data("schema help").contains("schema grant TYPE PERMISSION ROLE"))
            #expect(await world.data("help schema").hasPrefix("schema [TYPE]"))
        }
    }

    @Test("Tab offers record types where commands take them, and verbs beside them")
    func completed() async throws {
        try await ShellWorld.run { world in
            await world.type("as alice", "record save Prop hoop name=Hoop weight=3")
            let completer = Completer(table: .standard)
            for line in ["record find ", "record save ", "subscribe records ", "schema delete "] {
                #expect(completer.site(line: line, cursor: line.count).source == .live(.recordType))
            }
            guard case .live(.recordType, let words) = completer.site(line: "schema ", cursor: 7).source
            else {
                Issue.record("schema takes a record type")
                return
            }
            #expect(words.map(\.text) == ["grant", "delete", "deploy"])
            let found = await world.names(of: .recordType, beginningWith: "")
            #expect(found == [Candidate("Prop", "2 fields"), Candidate("Users", "1 field")])
            let fields = await world.names(of: .fieldValue, after: ["Prop"])
            #expect(fields == [Candidate("name=", "STRING"), Candidate("weight=", "INT64")])
            let records = await world.names(of: .record, after: ["Prop"])
            #expect(records == [Candidate("hoop", "Hoop")])
            await world.type(
                "record save Prop ball name=Ball", "fault add slow --on upload", "as bob", "as alice")
            let seen = await world.names(of: .record)
            #expect(seen == [Candidate("ball", "Ball"), Candidate("hoop", "Hoop")])
            #expect(await world.names(of: .fault, beginningWith: "").map(\.text) == ["slow"])
            let people = await world.names(of: .person, beginningWith: "")
            #expect(people.map(\.text) == ["alice", "bob"])
        }
    }

    @Test("a remote server shows the schema in development or with its key, else an error with the next step")
    func elsewhere() async throws {
        let save = "$app --as alice -c 'record save Prop hoop name=Hoop' > /dev/null 2>&1"
        let open = try await Program.shell("$cloudlet exec -- sh -c \"\(save); $app -c 'schema'\"")
        #expect(open.output.contains("Prop        1       13\n"), "\(open)")
        let closed = try await Program.shell(
            """
            mkfifo ready; $cloudlet serve --closed --data d --port 0 > ready & server=$!
            { read address; read word; } < ready
            $app --server $address -c schema; code=$?
            $cloudlet container create iCloud.org.cloudlet.ClownCentral --server $address \
            --operator-key-file d/operator.key > /dev/null
            CLOUDLET_OPERATOR_KEY_FILE=d/operator.key $app --server $address -c 'schema Users' -c schema
            kill $server; wait $server; exit $code
            """)
        #expect(closed.code == 1)
        #expect(closed.errors.contains("only with the operator's key"))
        #expect(closed.errors.contains("try: CLOUDLET_OPERATOR_KEY_FILE=FILE"))
        #expect(closed.output.contains("roles                     LIST<INT64>"), "\(closed)")
    }
}
