import Foundation
import Testing

@testable import CloudletShell
@testable import ClownCentral
@testable import CommandShell
@testable import ShellKit

@Suite("The checklist of good practices")
struct ChecklistTests {
    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    private let conflict = #"{"records":[{"recordName":"a","serverErrorCode":"CONFLICT"}]}"#

    private func kept(_ counts: RequestCounts) -> [String: Bool] {
        let pairs = Answer.checklist(counts).entries.compactMap { entry -> (String, Bool)? in
            guard case .text(let rule)? = entry.value(["rule"]),
                case .flag(let isKept)? = entry.value(["kept"])
            else { return nil }
            return (rule, isKept)
        }
        return Dictionary(pairs) { first, _ in first }
    }

    @Test("an error code is unhandled if the same request is sent again and receives it again")
    func errors() {
        var counts = RequestCounts()
        let answer = bytes(conflict)
        counts.record("records/modify", body: bytes("{}"), failed: false, received: answer)
        #expect(counts.errors == ["CONFLICT": 1])
        #expect(counts.unhandled.isEmpty)
        counts.record("records/lookup", body: bytes("{}"), failed: false, received: bytes("{}"))
        counts.record("records/modify", body: bytes("{}"), failed: false, received: answer)
        #expect(counts.unhandled.isEmpty, "the app has fetched the record in between")
        #expect(kept(counts)["handle errors"] == true)
        counts.record("records/modify", body: bytes("{}"), failed: false, received: answer)
        #expect(counts.errors == ["CONFLICT": 3])
        #expect(counts.unhandled == ["CONFLICT": 1])
        #expect(kept(counts)["handle errors"] == false)
    }

    @Test("an error code in a text of a record is no error")
    func quoted() {
        var counts = RequestCounts()
        let text = #"{"records":[{"fields":{"a":{"value":"\"serverErrorCode\":\"CONFLICT\""}}}]}"#
        counts.record("records/query", body: [], failed: false, received: bytes(text))
        #expect(counts.errors.isEmpty)
    }

    @Test("an operation without a quality of service breaks a rule, any other keeps it")
    func quality() {
        var counts = RequestCounts()
        counts.record(operation: .userInitiated)
        counts.record(operation: .background)
        #expect(kept(counts)["set quality of service"] == true)
        counts.record(operation: .default)
        #expect((counts.operations, counts.unconfigured) == (3, 1))
        #expect(kept(counts)["set quality of service"] == false)
    }

    @Test("lists of references and big values break the rule about the schema")
    func schema() {
        let list =
            #"{"operations":[{"operationType":"create","record":"#
            + #"{"fields":{"clowns":{"type":"REFERENCE_LIST","value":[]}}}}]}"#
        var lists = RequestCounts()
        lists.record("records/modify", body: bytes(list), failed: false, received: [])
        #expect(lists.referenceLists == 1)
        #expect(kept(lists)["design the schema"] == false)
        let text = String(repeating: "a", count: 100_001)
        let big =
            #"{"operations":[{"operationType":"create","record":{"fields":{"text":{"value":""# + text
            + #""}}}}]}"#
        var bigs = RequestCounts()
        bigs.record("records/modify", body: bytes(big), failed: false, received: [])
        #expect(bigs.bigSaves == 1)
        #expect(kept(bigs)["design the schema"] == false)
    }

    @Test("the operations of the shell have a quality of service")
    func shell() async throws {
        try await ShellWorld.run { world in
            let outcomes = await world.type(
                "as alice", "zone fill Jokes 3", "zone fetch Jokes", "chain 2", "checklist",
                "expect keptRules = 7")
            #expect(outcomes.compactMap(\.shellError).isEmpty, "\(outcomes.compactMap(\.shellError))")
            #expect(world.cloud.requests.counts(resetting: false).operations > 0)
        }
    }
}
