import Cloudlet
import CloudletServer
import Foundation
import Testing

@testable import CloudletShell
@testable import ClownCentral
@testable import CommandShell
@testable import ShellKit

@Suite("Explaining errors at the shell")
struct ExplainTests {
    @Test(
        "every code has an entry with cause and remedy, by name and by number",
        arguments: CKError.Code.allCases)
    func entries(_ code: CKError.Code) async throws {
        #expect(code.cause.count > 15 && code.cause.hasSuffix("."))
        #expect(code.remedy.count > 10 && code.remedy.hasSuffix("."))
        let entry = try #require(ErrorReference("\(code)".uppercased()))
        #expect(entry.text.contains(code.cause) && entry.text.contains(code.remedy))
        #expect(ErrorReference(String(code.rawValue))?.code == code)
    }

    @Test("the fault in the entry of a code produces this code")
    func faults() async throws {
        try await ShellWorld.run { world in
            await world.type("as alice", "party create Tea", "zone changes")
            // After a rate limit nothing is sent for a while.
            let last = CKError.Code.requestRateLimited
            let codes = ErrorReference.faults.keys.sorted { $0.rawValue < $1.rawValue }
            for code in codes.filter({ $0 != last }) + [last] {
                let fault = try #require(ErrorReference.faults[code])
                let command = Self.commands[code] ?? "party create Coffee"
                let outcomes = await world.type(
                    "fault add \(fault.rawValue) --times 1", command, "fault clear")
                #expect(outcomes[1].shellError?.code == "\(code)", "\(fault): \(command)")
            }
        }
    }

    /// The commands for codes that a save does not get from the fault.
    private static let commands: [CKError.Code: String] = [
        .networkFailure: "party list", .changeTokenExpired: "zone changes",
    ]

    @Test("`explain` shows the last error as a tree, also repeatedly")
    func tree() async throws {
        try await ShellWorld.run { world in
            let outcomes = await world.type(
                "explain", "as alice", "fault add zone-busy --times 1 --seconds 7", "party create Tea",
                "explain", "expect code = zoneBusy", "expect fault = \"fault add zone-busy --times 1\"",
                "party list", "explain", "expect number = 23")
            #expect(outcomes.compactMap(\.shellError?.code) == ["zoneBusy"])
            #expect(outcomes[0].rendering.messages.contains("there has been no error"))
            for outcome in [outcomes[4], outcomes[8]] {
                let text = outcome.rendering.data
                #expect(text.contains("zoneBusy (23): "))
                #expect(text.contains("retry after 7.0 s"))
                #expect(text.contains("cause:  Too many clients"))
                #expect(text.contains("try it: fault add zone-busy"))
            }
        }
    }

    @Test("a batch shows the error of each item, and has the code of the first item that failed by itself")
    func batch() async throws {
        let ids = ["a", "b", "c"].map { CKRecord.ID(recordName: $0) }
        let error = CKError(
            .partialFailure,
            userInfo: [
                CKPartialErrorsByItemIDKey: [
                    ids[0]: CKError(.batchRequestFailed), ids[1]: CKError(.serverRecordChanged),
                    ids[2]: CKError(.unknownItem),
                ]
            ])
        let shellError = ShellError(error)
        #expect(shellError.code == "serverRecordChanged")
        #expect(shellError.codes == ["partialFailure", "serverRecordChanged"])
        let tree = try #require(shellError.tree)
        for code in ["partialFailure", "batchRequestFailed", "serverRecordChanged", "unknownItem"] {
            #expect(tree.contains(code))
        }
        let entries = ErrorReference.entries(in: shellError)
        #expect(entries.map(\.code) == [.partialFailure, .serverRecordChanged])
    }

    @Test("a mistyped code is answered with the nearest one")
    func others() async throws {
        try await ShellWorld.run { world in
            let outcomes = await world.type("explain zoneBussy", "explain", "help explain")
            #expect(outcomes[0].shellError?.suggestions == ["zoneBusy"])
            #expect(outcomes[1].rendering.data.contains("there is no error code"))
            #expect(outcomes[2].rendering.data.contains("explain serverRecordChanged"))
        }
    }
}
