import Foundation
import Testing

@testable import CollaborativeText
@testable import TestKit

/// Contributions that are valid, but that typing never creates.
@Suite("Hostile contributions", .timeLimit(.minutes(10)))
struct HostileTests {
    /// A number of contributions for which quadratic time exceeds the time limit of the suite.
    private static let count = 50_000

    private static func run(
        _ site: String, _ number: Int, _ place: TextContribution.Position, _ text: String = "x"
    ) throws -> TextContribution {
        try TextContribution(id: try id(site, number), content: .run(text, place))
    }

    private static func id(_ site: String, _ number: Int) throws -> ScalarID {
        ScalarID(site: try TextSite(site), number: number)
    }

    private static func apply(_ all: [TextContribution]) throws -> CollaborativeText {
        var text = CollaborativeText(site: try TextSite("phone"))
        try text.apply(all)
        return text
    }

    @Test("Runs in front of each scalar of a text that was typed backwards take linear time")
    func beginnings() throws {
        var all = [try Self.run("b", 0, .start, "b")]
        for number in 1..<Self.count {
            all.append(try Self.run("b", number, .before(Self.id("b", number - 1)), "b"))
        }
        // The later scalars of b are all inserted before each scalar of b, and each scalar of a before those.
        for number in 0..<Self.count {
            all.append(try Self.run("a", number, .before(Self.id("b", number)), "a"))
        }
        let text = try Self.apply(all)
        #expect(text.count == 2 * Self.count)
        #expect(text.text(in: Self.count - 2..<Self.count + 2) == "aabb")
    }

    @Test("Runs behind each scalar of a long conversation take linear time")
    func endings() throws {
        var all = [try Self.run("b", 0, .start)]
        for number in 1..<Self.count {
            let (site, other) = number % 2 == 0 ? ("b", "c") : ("c", "b")
            all.append(try Self.run(site, number / 2, .after(Self.id(other, (number - 1) / 2))))
        }
        // After each scalar comes the rest of the conversation, and each scalar of d comes after that.
        for number in 0..<Self.count {
            all.append(
                try Self.run("d", number, .after(Self.id(number % 2 == 0 ? "b" : "c", number / 2)), "d"))
        }
        let text = try Self.apply(all)
        #expect(text.count == 2 * Self.count)
        #expect(text.text(in: Self.count - 2..<Self.count + 2) == "xxdd")
    }

    @Test("Runs behind the scalars of a long run, whose own next scalar comes later, take linear time")
    func interior() throws {
        let long = String(repeating: "y", count: TextLimits.scalarsPerRun)
        var all = [try Self.run("z", 0, .start, long)]
        for site in ["b", "c", "d", "e"] {
            for number in 0..<long.count - 1 {
                all.append(try Self.run(site, number, .after(Self.id("z", number))))
            }
        }
        #expect(try Self.apply(all).text.hasPrefix("yxxxxyxxxxy"))
    }

    @Test("A snapshot that claims many numbers does not count them one by one")
    func claimedNumbers() throws {
        var text = CollaborativeText(site: try TextSite("phone"))
        try text.apply(Self.run("late", 5, .start))
        var writer = ByteWriter()
        writer.write(1)
        writer.write(5000)
        for site in 0..<5000 {
            writer.write("s\(site)")
            writer.write(TextLimits.numbersPerSite)
        }
        writer.write(0)
        writer.write("")
        try text.merge(writer.data)
        #expect(text.waitingContributions.count == 1)
    }

    @Test("Runs have the order of the tree, in whatever order they arrive")
    func order() throws {
        for seed in 1...40 as ClosedRange<UInt64> {
            var numbers = SeededNumbers(seed: seed)
            var tree = SlowTree()
            let all = try (0..<150).map { _ in try tree.grow(&numbers) }
            for arrived in [all, all.shuffled(using: &numbers)] {
                let text = try Self.apply(arrived)
                #expect(text.text == tree.text, "seed \(seed)")
                let copy = try CollaborativeText(
                    snapshot: {
                        var text = text; return text.takeSnapshot()
                    }(), site: text.site)
                #expect(copy.text == tree.text, "seed \(seed)")
            }
        }
    }
}

/// The order of a text, computed slowly and directly from the definition.
private struct SlowTree {
    private struct Node {
        let id: ScalarID
        let scalar: Unicode.Scalar
        var left: [Int] = []
        var right: [Int] = []
    }

    /// The first node is the start of the text.
    private var nodes: [Node] = []
    private var next: [String: Int] = [:]

    init() {}

    /// Adds a run of a random site at a random place.
    mutating func grow(_ numbers: inout SeededNumbers) throws -> TextContribution {
        if nodes.isEmpty {
            nodes = [Node(id: ScalarID(site: try TextSite("start"), number: 0), scalar: " ")]
        }
        let site = numbers.pick(["a", "b", "c", "d"])
        let first = ScalarID(site: try TextSite(site), number: next[site, default: 0])
        // Parents among the last nodes make deep trees.
        let reach = numbers.chance(50) ? min(6, nodes.count) : nodes.count
        let parent = nodes.count - 1 - numbers.below(reach)
        let isLeft = parent > 0 && numbers.chance(50)
        let count = 1 + numbers.below(3)
        let start = nodes.count
        for offset in 0..<count {
            let scalar = Unicode.Scalar(UInt32(0x4E00 + nodes.count)) ?? "?"
            nodes.append(Node(id: ScalarID(site: first.site, number: first.number + offset), scalar: scalar))
            let upper = offset == 0 ? parent : nodes.count - 2
            if offset == 0, isLeft {
                nodes[upper].left.append(start)
            } else {
                nodes[upper].right.append(start + offset)
            }
        }
        next[site] = first.number + count
        let typed = String(String.UnicodeScalarView(nodes[start...].map(\.scalar)))
        let place: TextContribution.Position =
            parent == 0 ? .start : isLeft ? .before(nodes[parent].id) : .after(nodes[parent].id)
        return try TextContribution(id: first, content: .run(typed, place))
    }

    var text: String {
        var view = String.UnicodeScalarView()
        visit(0, &view)
        return String(String.UnicodeScalarView(view.filter { $0 != " " }))
    }

    private func visit(_ node: Int, _ view: inout String.UnicodeScalarView) {
        for child in sorted(nodes[node].left) { visit(child, &view) }
        view.append(nodes[node].scalar)
        for child in sorted(nodes[node].right) { visit(child, &view) }
    }

    private func sorted(_ children: [Int]) -> [Int] {
        children.sorted {
            (nodes[$0].id.site, nodes[$0].id.number) < (nodes[$1].id.site, nodes[$1].id.number)
        }
    }
}
