import Cloudlet
import Foundation
import Records
import Testing

@testable import CloudletShell
@testable import ClownCentral
@testable import CommandShell
@testable import ShellKit

@Suite("Faults at the shell")
struct FaultTests {
    @Test("a fault lets the first calls pass, and affects as many calls as it says")
    func count() async throws {
        try await ShellWorld.run { world in
            await world.type("as alice", "fault add zone-busy --after 1 --times 1")
            let outcomes = await world.type(
                "party create Tea", "party create Coffee", "party create Coffee", "fault list"
            )
            #expect(outcomes.map(\.shellError?.code) == [nil, "zoneBusy", nil, nil])
            #expect(outcomes[1].shellError?.exit == .throttled)
            let claims = await world.type("expect struck = 1", "expect state = \"used up\"")
            #expect(claims.compactMap(\.shellError).isEmpty)
        }
    }

    @Test("an error of the server has the exit code that the help names: a missing permission has 1")
    func exitCodes() {
        let codes: [CKError.Code] = [
            .networkFailure, .permissionFailure, .notAuthenticated, .serverRecordChanged, .requestRateLimited,
            .quotaExceeded, .operationCancelled,
        ]
        let exits = codes.map { CKError($0).shellError.exit.rawValue }
        #expect(exits == [1, 1, 4, 5, 6, 6, 130])
    }

    @Test("a fault affects only the calls of its endpoint")
    func endpoint() async throws {
        try await ShellWorld.run { world in
            await world.type("as alice", "fault add unavailable --on records/modify")
            let outcomes = await world.type("party list", "party create Tea", "party list")
            #expect(outcomes.map(\.shellError?.code) == [nil, "serviceUnavailable", nil])
        }
    }

    @Test("a fault of one device does not affect the others")
    func device() async throws {
        try await ShellWorld.run { world in
            await world.type("as alice", "fault add unavailable --device phone --on records/modify")
            let outcomes = await world.type("party create Tea", "on tablet", "party create Tea")
            #expect(outcomes.map(\.shellError?.code) == ["serviceUnavailable", nil, nil])
        }
    }

    @Test("an active fault shows in the prompt and in the status until it is cleared or used up")
    func visible() async throws {
        try await ShellWorld.run { world in
            await world.type("as alice", "fault add slow --on upload", "fault add zone-busy --times 1")
            #expect(await world.prompt == "development alice@phone [slow, zone-busy]> ")
            await world.type("party create Tea")
            #expect(await world.prompt == "development alice@phone [slow]> ")
            let claims = await world.type("status", "expect faults = slow", "fault clear slow")
            #expect(claims.compactMap(\.shellError).isEmpty)
            #expect(await world.prompt == "development alice@phone> ")
        }
    }

    @Test("the status works while the service is down")
    func status() async throws {
        try await ShellWorld.run { world in
            let outcomes = await world.type(
                "as alice", "fault add unavailable", "status", "expect faults = unavailable", "fault clear",
                "expect ended = 1"
            )
            #expect(outcomes.compactMap(\.shellError).isEmpty)
        }
    }

    @Test("a mistyped fault is answered with the nearest one, and Tab offers them all")
    func names() throws {
        let typo = #expect(throws: ShellError.self) {
            try Parser(table: .standard, now: ShellWorld.now).parse("fault add zone-bussy")
        }
        #expect(typo?.suggestions == ["zone-busy"])
        #expect(typo?.span == 10..<20)
        let completer = Completer(table: .standard)
        #expect(completer.site(line: "fault clear ", cursor: 12).source == .live(.fault))
        #expect(completer.site(line: "fault add ", cursor: 10).source == .words(FaultKind.candidates))
        #expect(FaultKind.candidates.map(\.text) == FaultKind.names)
    }
}
