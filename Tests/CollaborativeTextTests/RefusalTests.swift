import Foundation
import Testing

@testable import CollaborativeText
@testable import TestKit

@Suite("Contributions that are refused or wait")
struct RefusalTests {
    private static func id(_ site: String, _ number: Int) throws -> ScalarID {
        ScalarID(site: try TextSite(site), number: number)
    }

    private static func run(
        _ site: String, _ number: Int, _ text: String, _ place: TextContribution.Position = .start
    ) throws -> TextContribution {
        try TextContribution(id: try id(site, number), content: .run(text, place))
    }

    private static func text() throws -> CollaborativeText {
        CollaborativeText(site: try TextSite("phone"))
    }

    @Test(
        "Invalid site names are refused",
        arguments: ["", "a b", "é", "a/b", String(repeating: "a", count: 65)])
    func sites(name: String) {
        #expect(throws: TextError.site(String(name.prefix(64)))) { try TextSite(name) }
    }

    @Test("A contribution beyond the limits is refused")
    func bounds() throws {
        let first = try Self.id("a", 5)
        let long = String(repeating: "x", count: TextLimits.scalarsPerRun)
        _ = try TextContribution(id: first, content: .run(long, .start))
        #expect(throws: TextError.tooMuch(first, what: "scalars", limit: TextLimits.scalarsPerRun)) {
            try TextContribution(id: first, content: .run(long + "x", .start))
        }
        #expect(throws: TextError.empty(first)) { try TextContribution(id: first, content: .run("", .start)) }
        #expect(throws: TextError.empty(first)) { try TextContribution(id: first, content: .deletion([])) }
        for number in [-1, TextLimits.numbersPerSite, .max, .min] {
            let id = try Self.id("a", number)
            #expect(throws: TextError.number(id)) { try TextContribution(id: id, content: .run("x", .start)) }
        }
        let other = try Self.id("b", 0)
        for count in [0, -1, .min] {
            #expect(throws: TextError.empty(other)) {
                try TextContribution(id: first, content: .deletion([ScalarRange(first: other, count: count)]))
            }
        }
        #expect(throws: TextError.number(other)) {
            try TextContribution(id: first, content: .deletion([ScalarRange(first: other, count: .max)]))
        }
        let one = ScalarRange(first: other, count: 1)
        let most = [ScalarRange](repeating: one, count: TextLimits.rangesPerDeletion)
        _ = try TextContribution(id: first, content: .deletion(most))
        #expect(throws: TextError.tooMuch(first, what: "ranges", limit: TextLimits.rangesPerDeletion)) {
            try TextContribution(id: first, content: .deletion(most + [one]))
        }
    }

    @Test("A contribution that refers to itself or to later ones is refused", arguments: [5, 6, 100])
    func ownFuture(number: Int) throws {
        let (first, later) = (try Self.id("a", 5), try Self.id("a", number))
        let error = TextError.ownFuture(first, refersTo: later)
        #expect(throws: error) { try TextContribution(id: first, content: .run("ab", .after(later))) }
        #expect(throws: error) {
            try TextContribution(
                id: first, content: .deletion([ScalarRange(first: later, count: 1)]))
        }
    }

    @Test("Contributions wait for the ones that they depend on, in any order")
    func waiting() throws {
        let all = [
            try Self.run("a", 0, "Dear "), try Self.run("a", 5, "clowns", .after(try Self.id("a", 4))),
            try Self.run("b", 0, "red ", .before(try Self.id("a", 5))),
            try TextContribution(
                id: try Self.id("c", 0),
                content: .deletion([ScalarRange(first: try Self.id("b", 0), count: 3)])),
        ]
        for seed in 1...24 as ClosedRange<UInt64> {
            var numbers = SeededNumbers(seed: seed)
            var text = try Self.text()
            for contribution in (all + all).shuffled(using: &numbers) { try text.apply(contribution) }
            #expect(text.text == "Dear  clowns", "seed \(seed)")
            #expect(text.waitingContributions == [])
        }
        var text = try Self.text()
        try text.apply(all[3])
        try text.apply(all[2])
        #expect(text.waitingContributions == [all[2], all[3]])
        #expect(!text.includes(all[2]))
    }

    @Test("Other content with a known identity is refused, whether that is applied or waiting")
    func different() throws {
        var text = try Self.text()
        let after = TextContribution.Position.after(try Self.id("a", 2))
        try text.apply([try Self.run("a", 0, "abc"), try Self.run("b", 0, "x", after)])
        try text.apply(try Self.run("c", 5, "later"))
        let different = [
            try Self.run("a", 0, "abd"), try Self.run("a", 0, "abcd"), try Self.run("b", 0, "x"),
            try Self.run("c", 5, "earlier"), try Self.run("a", 1, "b"),
            try TextContribution(
                id: try Self.id("b", 0),
                content: .deletion([ScalarRange(first: try Self.id("a", 0), count: 1)])),
        ]
        for contribution in different {
            #expect(throws: TextError.different(contribution.id)) { try text.apply(contribution) }
        }
        #expect(text.text == "abcx")
        try text.delete(0..<1)
        let deletion = try #require(text.takeContributions().first)
        try text.apply(deletion)
        let more = try TextContribution(
            id: deletion.id, content: .deletion([ScalarRange(first: try Self.id("a", 0), count: 2)]))
        #expect(throws: TextError.different(deletion.id)) { try text.apply(more) }
    }

    @Test("Contributions that wait for each other are refused")
    func cycles() throws {
        var text = try Self.text()
        try text.apply(try Self.run("a", 0, "x", .after(try Self.id("b", 1))))
        try text.apply(try Self.run("b", 0, "xy", .after(try Self.id("c", 0))))
        let last = try Self.run("c", 0, "x", .before(try Self.id("a", 0)))
        #expect(throws: TextError.cycle(last.id, waitsFor: try Self.id("a", 0))) { try text.apply(last) }
        #expect(text.waitingContributions.count == 2)
    }

    @Test("A contribution that refers to a deletion is refused, also after it has waited")
    func noScalar() throws {
        var text = try Self.text()
        let deletion = try TextContribution(
            id: try Self.id("a", 1), content: .deletion([ScalarRange(first: try Self.id("a", 0), count: 1)]))
        let wrong = try Self.run("b", 0, "x", .after(deletion.id))
        let error = TextError.noScalar(wrong.id, refersTo: deletion.id)
        try text.apply(wrong)
        try text.apply(try Self.run("a", 0, "x"))
        #expect(try text.apply(deletion) == [error])
        #expect(throws: error) { try text.apply(wrong) }
        #expect(text.text == "")
    }

    @Test("Contributions and snapshots are equal after encoding and decoding")
    func coding() throws {
        var text = try Self.text()
        try text.insert("Dear 🤡s, bring pies", at: 0)
        try text.insert("red ", at: 5)
        try text.delete(2..<7)
        let all = text.takeContributions()
        #expect(try TextContribution.contributions(in: TextContribution.bytes(of: all)) == all)
        let json = try JSONEncoder().encode(all)
        #expect(try JSONDecoder().decode([TextContribution].self, from: json) == all)
        let anchors = [try text.anchor(at: 3), try text.anchor(at: 4, keepingTo: .right), .start, .end]
        let coded = try JSONEncoder().encode(anchors)
        #expect(try JSONDecoder().decode([TextAnchor].self, from: coded) == anchors)
        let snapshot = text.takeSnapshot()
        var read = try CollaborativeText(snapshot: snapshot, site: text.site)
        #expect(read.text == text.text)
        let again = read.takeSnapshot()
        #expect(again == snapshot)
    }

    @Test("Bytes of a later version are refused")
    func laterVersion() {
        #expect(throws: TextError.version(2)) { try TextContribution.contributions(in: Data([2, 0, 0])) }
        #expect(throws: TextError.version(9)) {
            try CollaborativeText(snapshot: Data([9]), site: try TextSite("a"))
        }
    }

    @Test("Damaged bytes are decoded or refused, and decoded contributions are applied or refused")
    func damaged() throws {
        var life = try Self.text()
        for (place, word) in ["Dear ", "clowns ", "bring ", "pies "].enumerated() {
            try life.insert(word, at: place)
            try life.delete(place..<place + 1)
        }
        let batch = [UInt8](TextContribution.bytes(of: life.takeContributions()))
        let snapshot = [UInt8](life.takeSnapshot())
        var (numbers, refused) = (SeededNumbers(seed: 20_190_606), 0)
        for _ in 0..<2000 {
            var (one, two) = (batch, snapshot)
            numbers.damage(&one, words: ["phone"])
            numbers.damage(&two, words: ["phone"])
            var text = try Self.text()
            do {
                for contribution in try TextContribution.contributions(in: Data(one)) {
                    try text.apply(contribution)
                }
            } catch is TextError {
                refused += 1
            }
            let before = text.text
            do {
                try text.merge(Data(two))
            } catch is TextError {
                refused += 1
                #expect(text.text == before)
            }
            #expect(text.text.unicodeScalars.count == text.count)
        }
        #expect(refused > 100)
    }

    @Test("A text refuses contributions beyond its limits")
    func limits() throws {
        var waiting = WaitingContributions()
        let need = try Self.id("b", 0)
        for number in 1...TextLimits.waiting / 50 {
            try waiting.add(try Self.run("a", number, "x"), waitingFor: need)
        }
        #expect(waiting.count == TextLimits.waiting / 50)
        #expect(waiting.remove(waitingFor: need.site, 0..<1).count == TextLimits.waiting / 50)
        #expect(waiting.count == 0)
        let run = String(repeating: "x", count: TextLimits.scalarsPerRun)
        let most = TextLimits.waitingScalars / TextLimits.scalarsPerRun
        for number in 1...most {
            try waiting.add(
                try Self.run("a", number * TextLimits.scalarsPerRun, run), waitingFor: need)
        }
        #expect(throws: TextError.full(what: "waiting scalars", limit: TextLimits.waitingScalars)) {
            try waiting.add(try Self.run("c", 1, "x"), waitingFor: need)
        }
    }
}
