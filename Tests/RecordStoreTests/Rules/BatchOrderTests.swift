import RecordStore
import Records
import Testing

@Suite("The order of operations in a batch")
struct BatchOrderTests {
    private func order(_ operations: [RecordOperation], holders: [String: [String]] = [:]) -> String {
        BatchOrder.sorted(operations) { holders[$0] ?? [] }
            .compactMap { operations[$0].recordName }
            .joined()
    }

    @Test("Without references, the order stays the same")
    func kept() {
        #expect(order([create("c"), delete("a"), create("b", ["to": link("c")])]) == "cab")
    }

    @Test("Targets come before their sources, through any number of steps")
    func targetsFirst() {
        let batch = [
            create("d", ["to": links("b", "c", action: .validate)]),
            create("c", ["to": link("a", .deleteSelf)]),
            create("b", parent: "a"), create("a"), create("e"),
        ]
        #expect(order(batch) == "abcde")
    }

    @Test("Records outside of the batch, and deleted targets, do not affect the order")
    func outside() {
        #expect(order([create("b", ["to": link("x", .validate)]), create("a")]) == "ba")
        #expect(order([create("b", ["to": link("a", .validate)]), delete("a")]) == "ba")
    }

    @Test("The order of a cycle is deterministic")
    func circle() {
        let batch = [
            create("a", ["to": link("b", .deleteSelf)]), create("b", ["to": link("a", .deleteSelf)]),
        ]
        #expect(order(batch) == "ba")
    }

    @Test("A deletion comes after the batch's operations on the records that refer to it")
    func holders() {
        let batch = [delete("root"), forceDelete("child"), create("x"), delete("leaf")]
        #expect(
            order(batch, holders: ["root": ["child", "elsewhere"], "child": ["leaf"]]) == "leafchildrootx")
    }

    @Test("A chain of thousands is sorted without recursion")
    func long() {
        let batch = (0..<5000).map { create("\($0) ", ["to": link("\($0 + 1) ", .deleteSelf)]) }
        #expect(order(batch) == (0..<5000).reversed().map { "\($0) " }.joined())
    }
}
