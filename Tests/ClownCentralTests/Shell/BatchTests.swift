import Foundation
import Testing

@testable import CloudletShell
@testable import ClownCentral
@testable import CommandShell
@testable import ShellKit

@Suite("Batches at the shell")
struct BatchTests {
    @Test(
        "a batch is halved until it fits, and no further",
        arguments: [(1, 1, 1), (200, 1, 1), (201, 3, 2), (401, 5, 3), (801, 9, 5)]
    )
    func halving(records: Int, tried: Int, requests: Int) async throws {
        try await ShellWorld.run { world in
            let outcomes = await world.type(
                "as alice", "batch save \(records)", "expect saved = \(records)", "expect tried = \(tried)",
                "expect requests = \(requests)"
            )
            #expect(outcomes.compactMap(\.shellError).isEmpty)
        }
    }

    @Test("a batch that fails for another reason is not halved")
    func otherFailure() async throws {
        try await ShellWorld.run { world in
            await world.type("as alice", "fault add quota-full")
            let outcome = await world.type("batch save 10")[0]
            #expect(outcome.shellError?.code == "quotaExceeded")
            let claims = await world.type("fault list", "expect struck = 1")
            #expect(claims.compactMap(\.shellError).isEmpty)
        }
    }

    @Test("the number of records is a whole number from 1 to 10000", arguments: ["0", "-3", "many", "10001"])
    func number(text: String) {
        let shellError = #expect(throws: ShellError.self) {
            try Parser(table: .standard, now: ShellWorld.now).parse("batch save -- \(text)")
        }
        #expect(shellError?.code == "usage")
    }

    @Test(
        "a tree is stored completely, each record after its parent", arguments: ["", "--jumbled"])
    func tree(flag: String) async throws {
        try await ShellWorld.run { world in
            let outcomes = await world.type(
                "as alice", "tree save Matinee \(flag)", "expect count 7", "expect whole = true",
                "expect inOrder = true", "expect title = Matinee", "expect depth = 0", "expect requests = 1"
            )
            #expect(outcomes.compactMap(\.shellError).isEmpty)
        }
    }
}
