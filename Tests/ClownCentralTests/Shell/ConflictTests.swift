import Foundation
import Testing

@testable import CloudletShell
@testable import ClownCentral
@testable import CommandShell
@testable import ShellKit

@Suite("Conflicts at the shell")
struct ConflictTests {
    @Test("the first of two changes to a field wins, and changes to different fields are all kept")
    func merge() async throws {
        try await ShellWorld.run { world in
            await world.type("as alice", "card create Bozo city=Rome phone=1", "on tablet", "card show Bozo")
            await world.type("on phone", "card edit Bozo city=Paris", "on tablet")
            let refused = await world.type("card edit Bozo city=Oslo phone=2")[0]
            #expect(refused.shellError?.code == "serverRecordChanged")
            #expect(refused.shellError?.exit == .conflict)
            let outcomes = await world.type(
                "card edit Bozo city=Oslo phone=2 --merge", "expect city = Paris", "expect phone = 2",
                "card edit Bozo city=Oslo", "expect city = Oslo"
            )
            #expect(outcomes.compactMap(\.shellError).isEmpty)
        }
    }

    @Test("attendees with records of their own do not conflict")
    func attendees() async throws {
        try await ShellWorld.run { world in
            let outcomes = await world.type(
                "as alice", "party create Tea", "party show Tea", "as bob", "attend Tea", "as alice",
                "attend Tea Zelda", "party show Tea", "expect attendees ~ bob", "expect attendees ~ Zelda"
            )
            #expect(outcomes.compactMap(\.shellError).isEmpty)
        }
    }

    @Test(
        "--merge is refused where there can be no conflict",
        arguments: ["attend Tea --merge", "card edit B city=X --policy all-keys --merge"])
    func meaningless(line: String) {
        let shellError = #expect(throws: ShellError.self) {
            try Parser(table: .standard, now: ShellWorld.now).parse(line)
        }
        #expect(shellError?.code == "usage")
    }
}
