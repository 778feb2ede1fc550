import Foundation
import Synchronization
import Testing

@testable import CloudletShell
@testable import ClownCentral
@testable import CommandShell
@testable import ShellKit
@testable import TestKit

@Suite("Errors and answers about records and schemas")
struct RecordWordsTests {
    @Test("an argument FIELD=VALUE is not used as the name of a record")
    func missingName() async throws {
        try await ShellWorld.run { world in
            await world.type("as alice")
            let shellError = await world.runner.run("record save Thing a=1 b=hello").shellError
            #expect(shellError?.message == "NAME is missing before `a=1`")
            #expect(shellError?.exit == .usage)
            #expect(await world.runner.run("record save Thing 'a=1' b=hello").shellError == nil)
        }
    }

    @Test("a list of records begins with the name, and has a note if there are more")
    func more() async throws {
        try await ShellWorld.run { world in
            await world.type("as alice")
            for number in 1...3 {
                await world.type("record save Prop p\(number) age=\(number) name=P\(number)")
            }
            let first = await world.runner.run("record find Prop --limit 2").rendering
            #expect(first.data.hasPrefix("RECORD  NAME  AGE"))
            #expect(first.messages == "the first 2 are shown; --limit N shows more\n")
            #expect(await world.runner.run("record find Prop").rendering.messages == "")
        }
    }

    @Test("an invalid condition is answered with the quoting and the similar field")
    func condition() async throws {
        try await ShellWorld.run { world in
            await world.type("as alice", "record save Prop hoop name=Hoop")
            let unquoted = await world.runner.run("record find Prop 'name = Hoop'").shellError
            #expect(unquoted?.code == "invalidArguments")
            #expect(unquoted?.remedy?.hasSuffix(#"record find Prop 'name = "Coffee"'"#) == true)
            let typo = await world.runner.run(#"record find Prop 'nam = "Hoop"'"#).shellError
            #expect(typo?.suggestions == ["name"])
        }
    }

    @Test("for an unknown record name, the next step lists the names")
    func otherName() async throws {
        try await ShellWorld.run { world in
            await world.type("as alice", "record save Prop hoop name=Hoop")
            for line in ["record show Hoop", "blame Hoop"] {
                let shellError = await world.runner.run(line).shellError
                #expect(shellError?.code == "unknownItem")
                #expect(shellError?.remedy?.hasPrefix("record find TYPE, whose first column") == true)
            }
        }
    }

    @Test("a schema is not deployed after the answer no, and is deployed without a question with --yes")
    func deploy() async throws {
        let questions = Mutex<[String]>([])
        let confirm: @Sendable (String) -> Bool = { question in
            questions.withLock { $0.append(question) }
            return false
        }
        try await ShellWorld.run(confirm: confirm) { world in
            await world.type("as alice", "record save Prop hoop name=Hoop")
            #expect(await world.runner.run("schema deploy").rendering.messages == "nothing was deployed\n")
            #expect(await world.data("schema deploy --yes").contains("Prop.name STRING"))
        }
        let asked = questions.withLock { $0 }
        #expect(asked.count == 1)
        #expect(asked.first?.hasSuffix("to production, permanently?") == true)
    }

    @Test("a subscription without a condition follows every record of its type")
    func subscription() async throws {
        try await ShellWorld.run { world in
            await world.type("as alice", "record save Prop hoop size=1", "subscribe records Prop --silent")
            #expect(await world.data("subscriptions").contains("every Prop"))
            await world.type("subscribe records Prop --above size=100 --silent")
            #expect(await world.data("subscriptions").contains("Prop where size"))
        }
    }

    @Test("a limit in seconds is shown in days, too")
    func durations() async throws {
        try await ShellWorld.run { world in
            let limits = await world.data("limits --json")
            #expect(limits.contains(#""limit":"deletionSeconds","value":7776000,"duration":"90d""#))
            #expect(await world.data("limits").contains("90d"))
            let lines = await world.data("limits").split(separator: "\n")
            let pushes = lines.first { $0.hasPrefix("pushBytesPerCommit") }
            #expect(pushes?.hasSuffix("B") == true, "\(pushes ?? "")")
        }
    }

    @Test("production is in capitals in the prompt")
    func production() async throws {
        try await ShellWorld.run { world in
            await world.type("as alice")
            #expect(await world.prompt == "development alice@phone> ")
            await world.type("environment production")
            #expect(await world.prompt == "PRODUCTION alice@phone> ")
        }
    }

    @Test("whoami, .tables and \\dt are commands, as in other shells")
    func otherShells() async throws {
        try await ShellWorld.run { world in
            await world.type("as alice", "record save Prop hoop name=Hoop")
            #expect(await world.data("whoami").contains("alice"))
            for line in [".tables", "\\dt"] { #expect(await world.data(line).contains("Prop")) }
        }
    }
}
