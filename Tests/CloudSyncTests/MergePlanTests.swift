import Foundation
import LocalReplica
import Records
import Testing

@testable import CloudSync
@testable import TestKit

/// A record on the device and on the server, represented by the text of its only field.
struct MergeCase: Sendable, CustomTestStringConvertible {
    let name: String
    /// The common ancestor; nil if the server never had the record.
    let base: String?
    /// The device's version; nil if the device deleted the record.
    let local: String?
    /// The version that was sent last, if its response was lost.
    var sent: String?
    /// The server's version; nil if the record is deleted there.
    let server: String?
    let plan: MergePlan

    var testDescription: String { name }

    static let table: [MergeCase] = [
        MergeCase(name: "in step, changed", base: "a", local: "a", server: "b", plan: .useServer("")),
        MergeCase(name: "in step, gone", base: "a", local: "a", server: nil, plan: .remove("")),
        MergeCase(
            name: "edited, changed", base: "a", local: "a b", server: "c a",
            plan: .send(
                text("c a b"), "edited here and on the server: merged",
                notes: [#"text: made of both: "a b" here, "c a" there"#])),
        MergeCase(
            name: "edited, changed to the same", base: "a", local: "b", server: "b",
            plan: .useServer("edited here and on the server: merged")),
        MergeCase(
            name: "edited, gone", base: "a", local: "b", server: nil,
            plan: .sendAsNew("edited here, deleted on the server: kept the edit", base: nil)),
        MergeCase(
            name: "made, made there too", base: nil, local: "a", server: "b",
            plan: .send(
                text("b a"), "edited here and on the server: merged",
                notes: [#"text: made of both: "a" here, "b" there"#])),
        MergeCase(name: "made, never heard of", base: nil, local: "a", server: nil, plan: .nothing),
        MergeCase(
            name: "deleted, changed", base: "a", local: nil, server: "b",
            plan: .useServer("deleted here, edited on the server: kept the edit")),
        MergeCase(name: "deleted, gone", base: "a", local: nil, server: nil, plan: .remove("")),
        MergeCase(
            name: "edited since it was sent, and the answer was lost", base: "a", local: "c", sent: "b",
            server: "b", plan: .send(text("c"), "", notes: [])),
        MergeCase(
            name: "sent, and the answer was lost", base: "a", local: "b", sent: "b", server: "b",
            plan: .useServer("")),
        MergeCase(
            name: "deleted since it was sent, and the answer was lost", base: nil, local: nil, sent: "b",
            server: "b", plan: .send(nil, "", notes: [])),
    ]

    static func text(_ text: String) -> Fields { ["text": Field(.string(text))] }
}

@Suite("The merge table")
struct MergePlanTests {
    @Test("Each row has the expected plan for a record", arguments: MergeCase.table)
    func rows(row: MergeCase) async throws {
        let replica = try LocalReplica(inMemoryWithFiles: FileManager.default.temporaryDirectory)
        let id = RecordID(name: "n", zone: "Notes")
        let found = try await replica.write { writer in
            if let base = row.base {
                let version = ServerVersion(
                    id: id, type: "Note", tag: "1", systemFields: Data(), fields: MergeCase.text(base))
                try writer.replace(with: [version], in: "Notes")
            }
            if let sent = row.sent {
                try writer.save(ReplicaRecord(type: "Note", id: id, fields: MergeCase.text(sent)))
                try writer.markSent([try #require(try writer.reader.row(id))])
            }
            if let local = row.local {
                try writer.save(ReplicaRecord(type: "Note", id: id, fields: MergeCase.text(local)))
            } else {
                try writer.delete(id)
            }
            return try writer.reader.row(id)
        }
        let server = row.server.map { MergePlan.Server.version(tag: "2", MergeCase.text($0)) } ?? .gone
        #expect(MergePlan.plan(found, server, MergePolicy()) == row.plan)
        // A server version that equals the ancestor changes nothing.
        let same = MergePlan.Server.version(tag: "1", MergeCase.text(row.base ?? ""))
        if row.base != nil { #expect(MergePlan.plan(found, same, MergePolicy()) == .nothing) }
    }

    /// A device's record with two fields after a lost response.
    private static func doubtful(
        local: Fields?, sent: Fields?, over before: Fields?, as token: UInt8 = 1
    ) async throws -> ReplicaRow {
        let replica = try LocalReplica(inMemoryWithFiles: FileManager.default.temporaryDirectory)
        let id = RecordID(name: "n", zone: "Notes")
        let row = try await replica.write { writer in
            if let before {
                let version = ServerVersion(
                    id: id, type: "Note", tag: "1", systemFields: Data(), fields: before)
                try writer.replace(with: [version], in: "Notes")
            }
            func put(_ fields: Fields?) throws {
                guard let fields else { return try writer.delete(id) }
                try writer.save(ReplicaRecord(type: "Note", id: id, fields: fields))
            }
            try put(sent)
            try writer.markSent([try #require(try writer.reader.row(id))])
            try put(local)
            return try writer.reader.row(id)
        }
        var found = try #require(row)
        found.sentToken = Data([token])
        return found
    }

    @Test("The server's last batch decides whether a batch arrived")
    func delivery() async throws {
        let row = try await Self.doubtful(
            local: MergeCase.text("b"), sent: MergeCase.text("b"), over: MergeCase.text("a"))
        func found(_ last: ClientChange?, after taken: UInt8?) -> BatchDelivery {
            row.delivery(last, after: taken.map { Data([$0]) })
        }
        #expect(found(ClientChange(token: [1]), after: 9) == .applied)
        #expect(found(ClientChange(token: [1], exceptions: ["m"]), after: 9) == .applied)
        #expect(found(ClientChange(token: [1], exceptions: ["n"]), after: 9) == .notApplied)
        #expect(found(ClientChange(token: [9]), after: 9) == .notApplied)
        #expect(found(ClientChange.nothing, after: nil) == .notApplied)
        // Another device with this name has written, or the server no longer knows the batch.
        #expect(found(ClientChange(token: [8]), after: 9) == .unknown)
        #expect(found(ClientChange.nothing, after: 9) == .unknown)
        #expect(found(nil, after: 9) == .unknown)
        var plain = row
        plain.sentToken = nil
        #expect(plain.delivery(ClientChange(token: [1]), after: nil) == .unknown)
    }

    @Test("Sent fields that arrived are the base of the merge; others are merged as an edit")
    func unansweredBatch() async throws {
        let (a, b, c) = (MergeCase.text("a"), MergeCase.text("a b"), MergeCase.text("a c"))
        let row = try await Self.doubtful(local: b, sent: b, over: a)
        func plan(_ row: ReplicaRow, _ fields: Fields?, _ delivery: BatchDelivery) -> MergePlan {
            let server = fields.map { MergePlan.Server.version(tag: "2", $0) } ?? .gone
            return MergePlan.plan(row, server, MergePolicy(), delivery)
        }
        #expect(plan(row, c, .applied) == .useServer(""))
        let merged = MergePlan.send(
            MergeCase.text("a c b"), "edited here and on the server: merged",
            notes: [#"text: made of both: "a b" here, "a c" there"#])
        #expect(plan(row, c, .notApplied) == merged)
        #expect(plan(row, nil, .applied) == .remove(""))
        #expect(
            plan(row, nil, .notApplied)
                == .sendAsNew("edited here, deleted on the server: kept the edit", base: nil))
        let edited = try await Self.doubtful(local: MergeCase.text("a b d"), sent: b, over: a)
        #expect(
            plan(edited, nil, .applied)
                == .sendAsNew("edited here, deleted on the server: kept the edit", base: nil))
        let new = try await Self.doubtful(local: b, sent: b, over: nil)
        #expect(plan(new, nil, .applied) == .remove(""))
        #expect(plan(new, nil, .notApplied) == .nothing)
        let deleted = try await Self.doubtful(local: nil, sent: b, over: a)
        #expect(plan(deleted, b, .applied) == .send(nil, "", notes: []))
        #expect(
            plan(deleted, b, .notApplied) == .useServer("deleted here, edited on the server: kept the edit"))
        let remade = try await Self.doubtful(local: c, sent: nil, over: a)
        #expect(plan(remade, nil, .applied) == .sendAsNew("", base: nil))
    }

    @Test("The server's version of a share replaces an edit of this device")
    func share() async throws {
        let (a, b, c) = (MergeCase.text("a"), MergeCase.text("b"), MergeCase.text("c"))
        for before in [nil, a] {
            var row = try await Self.doubtful(local: b, sent: b, over: before)
            row.type = Share.recordType
            #expect(MergePlan.plan(row, .version(tag: "2", c), MergePolicy()) == .useServer(""))
            #expect(MergePlan.plan(row, .gone, MergePolicy()) == .remove(""))
        }
    }

    @Test("In another owner's zone, an edit keeps the version it is based on when the record is gone")
    func base() async throws {
        let (a, b, c) = (MergeCase.text("a"), MergeCase.text("a b"), MergeCase.text("a c"))
        func plan(_ row: ReplicaRow, _ delivery: BatchDelivery) -> MergePlan {
            var row = row
            row.id = RecordID(name: "n", zone: ZoneID(name: "Notes", owner: "_alice"))
            return MergePlan.plan(row, .gone, MergePolicy(), delivery)
        }
        let kept = "edited here, deleted on the server: kept the edit"
        let row = try await Self.doubtful(local: c, sent: b, over: a)
        #expect(plan(row, .notApplied) == .sendAsNew(kept, base: a))
        #expect(plan(row, .unknown) == .sendAsNew(kept, base: a))
        #expect(plan(row, .applied) == .sendAsNew(kept, base: b))
        let remade = try await Self.doubtful(local: c, sent: nil, over: a)
        #expect(plan(remade, .applied) == .sendAsNew("", base: nil))
    }

    @Test("An equal field on the server does not prove that a text sent with it arrived")
    func equalField() async throws {
        func fields(_ text: String) -> Fields {
            ["parent": Field(.reference(Reference(recordName: "root"))), "text": Field(.string(text))]
        }
        let row = try await Self.doubtful(local: fields("here"), sent: fields("here"), over: nil)
        let plan = MergePlan.plan(row, .version(tag: "2", fields("there")), MergePolicy())
        guard case .send(let merged?, _, _) = plan, case .string(let text)? = merged["text"]?.value else {
            Issue.record("the text is not sent: \(plan)")
            return
        }
        #expect(Set(text.split(separator: " ")) == ["here", "there"])
    }

    @Test("If the server returns no last batch, the fields decide whether an edit arrived")
    func unsaid() async throws {
        func fields(_ amount: Int64, _ total: Int64) -> Fields {
            ["amount": Field(.int64(amount)), "total": Field(.int64(total))]
        }
        var policy = MergePolicy()
        policy["Note", "total"] = .sum
        let row = try await Self.doubtful(local: fields(15, 15), sent: fields(15, 15), over: fields(10, 10))
        let cases: [(server: Fields, total: Int64, amount: Int64)] = [
            // If no field of the batch is on the server, the edit is sent normally. If some are, the batch
            // arrived.
            (fields(10, 12), 17, 15), (fields(15, 17), 17, 15),
            // All fields were changed again on the server: fields that must not be applied twice count as
            // arrived.
            (fields(20, 17), 17, 20),
        ]
        for (server, total, amount) in cases {
            let plan = MergePlan.plan(row, .version(tag: "2", server), policy)
            let end = if case .send(let fields?, _, _) = plan { fields } else { server }
            #expect(end == fields(amount, total))
        }
    }

    @Test("An unknown record is taken from the server; a record that neither side has needs nothing")
    func unknown() {
        #expect(MergePlan.plan(nil, .version(tag: "1", Fields()), MergePolicy()) == .useServer(""))
        #expect(MergePlan.plan(nil, .gone, MergePolicy()) == .nothing)
    }
}

@Suite("Merging fields")
struct FieldMergeTests {
    private static func number(_ value: Int64) -> Field { Field(.int64(value)) }
    private static func list(_ values: String...) -> Field {
        Field(.list(.string, values.map(FieldValue.string)))
    }

    @Test(
        "A field that one side changed gets that change, whatever the policy",
        arguments: MergePolicy.Rule.allCases)
    func oneSide(rule: MergePolicy.Rule) {
        var policy = MergePolicy()
        policy.standard = rule
        let base: Fields = ["a": Self.number(1), "b": Self.number(1), "c": Self.number(1)]
        let local: Fields = ["a": Self.number(2), "b": Self.number(1), "d": Self.number(4)]
        let server: Fields = ["a": Self.number(1), "b": Self.number(3), "c": Self.number(1)]
        let merge = FieldMerge(base: base, local: local, server: server, type: "T", policy: policy)
        #expect(merge.fields == ["a": Self.number(2), "b": Self.number(3), "d": Self.number(4)])
        #expect(merge.notes.isEmpty)
    }

    @Test(
        "A field that both changed follows its policy",
        arguments: [
            (MergePolicy.Rule.automatic, number(1), number(2), number(4), number(2)),
            (.lastWriter, number(1), number(2), number(4), number(2)),
            (.server, number(1), number(2), number(4), number(4)),
            (.sum, number(1), number(2), number(4), number(5)),
            (.union, list("a", "b"), list("b", "c"), list("a", "b", "d"), list("b", "d", "c")),
            (
                .automatic, Field(.string("a b")), Field(.string("a x b")), Field(.string("b")),
                Field(.string("x b"))
            ),
            (.lastWriter, Field(.string("a")), Field(.string("b")), Field(.string("c")), Field(.string("b"))),
        ])
    func bothSides(rule: MergePolicy.Rule, base: Field, local: Field, server: Field, expected: Field) {
        var policy = MergePolicy()
        policy["T", "f"] = rule
        let merge = FieldMerge(
            base: ["f": base], local: ["f": local], server: ["f": server], type: "T", policy: policy)
        #expect(merge.fields == ["f": expected])
        #expect(merge.notes.count == 1)
    }

    @Test("A value wins over its removal")
    func removal() {
        let base: Fields = ["f": Self.number(1)]
        let merge = FieldMerge(
            base: base, local: [:], server: ["f": Self.number(2)], type: "T", policy: MergePolicy())
        #expect(merge.fields == ["f": Self.number(2)])
    }
}

@Suite("Merging texts")
struct TextMergeTests {
    @Test(
        "Words that either side added are kept, and words that either side removed are dropped",
        arguments: [
            ("", "milk", "bread", "bread milk"),
            ("milk", "milk eggs", "bread milk", "bread milk eggs"),
            ("milk bread", "bread", "milk bread eggs", "bread eggs"),
            ("a b c", "a X c", "a b Y c", "a X Y c"),
            ("one\ntwo", "one\ntwo\nthree", "zero\none\ntwo", "zero\none\ntwo\nthree"),
            ("a", "a b", "a b", "a b"),
            ("", "x y z", "x y", "x y z"),
            ("Ladies", "Ladies and gentlemen", "Dear Ladies", "Dear Ladies and gentlemen"),
            ("a", "", "a b", "b"),
        ])
    func merges(base: String, local: String, server: String, expected: String) {
        #expect(TextMerge.merged(base: base, local: local, server: server) == expected)
    }

    @Test("No word that either side added is lost, in a thousand random cases")
    func nothingLost() {
        var random = SeededNumbers(seed: 7)
        for _ in 0..<1000 {
            let base = (0..<Int.random(in: 0...6, using: &random)).map { "b\($0)" }
            var sides: [[String]] = []
            for side in ["l", "s"] {
                var words = base
                for index in 0..<Int.random(in: 0...4, using: &random) {
                    words.insert("\(side)\(index)", at: Int.random(in: 0...words.count, using: &random))
                }
                words.removeAll { $0.hasPrefix("b") && Int.random(in: 0...3, using: &random) == 0 }
                sides.append(words)
            }
            let merged = TextMerge.merged(
                base: base.joined(separator: " "), local: sides[0].joined(separator: " "),
                server: sides[1].joined(separator: " "))
            let words = merged.split(whereSeparator: \.isWhitespace).map(String.init)
            let added = sides.joined().filter { !$0.hasPrefix("b") }
            let kept = base.filter { sides[0].contains($0) && sides[1].contains($0) }
            #expect(words.sorted() == (added + kept).sorted(), "\(base) \(sides)")
            for side in sides {
                #expect(words.filter { side.contains($0) } == side.filter { words.contains($0) })
            }
        }
    }

    @Test("Short lists are compared exactly, and longer ones between their anchors")
    func bound() {
        func common(_ old: [Int], _ new: [Int], detail: Int) -> [Int] {
            let matches = CommonOrder.matches(old, new, detail: detail)
            for (match, next) in zip(matches, matches.dropFirst()) {
                #expect(match.old < next.old && match.new < next.new)
            }
            #expect(matches.allSatisfy { old[$0.old] == new[$0.new] })
            return matches.map { old[$0.old] }
        }
        // No element is unique. Two lists of 6 elements are compared exactly if the limit is 12, but not if
        // it is 11.
        let (old, new) = ([1, 1, 2, 2, 3, 3], [2, 2, 1, 1, 4, 4])
        #expect(common(old, new, detail: 12).count == 2)
        #expect(common(old, new, detail: 11) == [])
        // 7 is unique in both lists, so it is an anchor. A common beginning and end match without an anchor.
        #expect(common([9] + old + [7] + old + [8], [9] + new + [7] + new + [8], detail: 11) == [9, 7, 8])
        // A run of three elements is unique although no single element is.
        let run = [5, 6, 5]
        #expect(common(old + run + [6, 6] + old, new + run + [4, 4] + new, detail: 11) == run)
    }

    @Test("Texts of a hundred thousand words that differ throughout are merged in bounded memory")
    func longTexts() {
        func text(_ side: String) -> String {
            (0..<100_000).map { $0 % 5000 == 0 ? "chapter\($0)" : "\(side)\($0 % 997)" }.joined(
                separator: " ")
        }
        let merged = TextMerge.merged(base: text("b"), local: text("l"), server: text("s"))
        let words = merged.split(separator: " ")
        #expect(words.count == 20 + 2 * 99_980)
        #expect(words.filter { $0.hasPrefix("chapter") }.count == 20)
        #expect(words.filter { $0.hasPrefix("l") }.count == 99_980)
    }
}
