import Foundation
import Testing

@testable import CollaborativeText
@testable import TestKit

@Suite("Texts assembled from copies", .timeLimit(.minutes(10)))
struct AssemblyTests {
    private static let start = "Dear clowns"

    /// A copy of a text that a site has edited.
    private static func copy(
        _ site: String, by author: String, after copies: [TextCopy] = [], owner: String = "alice",
        _ edit: (inout CollaborativeText) throws -> Void
    ) throws -> TextCopy {
        let name = try TextSite(site)
        let assembly = try TextAssembly(startingWith: start, copies: copies, owner: owner)
        var text = try #require(assembly.text(as: name))
        try edit(&text)
        return TextCopy(name: "note.\(site)", site: name, author: author, snapshot: text.takeSnapshot())
    }

    /// The text, which must be the same in whatever order the copies arrive.
    private static func text(_ copies: [TextCopy]) throws -> String {
        let text = try TextAssembly(startingWith: start, copies: copies, owner: "alice").string
        var numbers = SeededNumbers(seed: 7)
        for _ in 0..<4 {
            let other = try TextAssembly(
                startingWith: start, copies: copies.shuffled(using: &numbers), owner: "alice")
            #expect(other.string == text)
        }
        return text
    }

    /// The bytes of a snapshot with any content.
    private static func forged(
        sites: [(name: String, next: Int)],
        runs: [(site: Int, first: Int, parentRun: Int, place: Int, stretches: [Int])], text: String
    ) -> Data {
        var writer = ByteWriter()
        writer.write(TextSnapshot.version)
        writer.write(sites.count)
        for site in sites {
            writer.write(site.name)
            writer.write(site.next)
        }
        writer.write(runs.count)
        for run in runs {
            for number in [run.site, run.first, run.parentRun, run.place, run.stretches.count] {
                writer.write(number)
            }
            for stretch in run.stretches { writer.write(stretch) }
        }
        writer.write(text)
        return writer.data
    }

    private static func evil(_ snapshot: Data, as site: String? = "evil") throws -> TextCopy {
        TextCopy(
            name: "note.\(site ?? "0")", site: try site.map { try TextSite($0) }, author: "mallory",
            snapshot: snapshot)
    }

    @Test("A text has the edits of all copies, and keeps those whose copy is deleted if another has them")
    func honest() throws {
        let phone = try Self.copy("phone", by: "alice") { try $0.change(to: "Dear funny clowns") }
        let tablet = try Self.copy("tablet", by: "alice", after: [phone]) {
            try $0.change(to: "Dear funny clowns today")
        }
        let guest = try Self.copy("guest", by: "bob", after: [phone]) { try $0.change(to: "funny clowns") }
        #expect(try Self.text([phone, tablet, guest]) == "funny clowns today")
        #expect(try Self.text([tablet, guest]) == "funny clowns today")
        #expect(try Self.text([guest]) == "funny clowns")
        #expect(try Self.text([]) == Self.start)
    }

    @Test("A copy that claims other content for somebody else's site has no effect, whoever writes first")
    func forgedSite() throws {
        let phone = try Self.copy("phone", by: "alice") { try $0.insert("Hello! ", at: 0) }
        for name in ["evil", "zebra"] {
            let claim = Self.forged(
                sites: [("phone", 7)], runs: [(0, 0, 0, 1, [7])], text: "Go away")
            let evil = try Self.evil(claim, as: name)
            #expect(try Self.text([phone, evil]) == "Hello! Dear clowns")
            let more = try Self.copy("phone", by: "alice", after: [phone, evil]) {
                try $0.insert("Oh. ", at: 0)
            }
            #expect(try Self.text([more, evil]) == "Oh. Hello! Dear clowns")
        }
    }

    @Test("A small copy that claims very many scalars, numbers or sites does not keep others from writing")
    func locks() throws {
        let most = TextLimits.scalars
        let many = (0..<2000).map { (name: "site\($0)", next: 1) }
        let locks = try [
            Self.evil(Self.forged(sites: [("evil", most)], runs: [(0, 0, 0, 1, [0, most])], text: "")),
            Self.evil(Self.forged(sites: [("phone", TextLimits.numbersPerSite)], runs: [], text: "")),
            Self.evil(
                Self.forged(
                    sites: [("phone", most)], runs: [(0, 0, 0, 1, [7, most - 7])], text: "Go away")),
            Self.evil(
                Self.forged(
                    sites: many, runs: many.indices.map { ($0, 0, 0, 1, [1]) },
                    text: String(repeating: "x", count: many.count))),
            Self.evil(Data([9, 9]), as: nil),
        ]
        let phone = try Self.copy("phone", by: "alice") { try $0.insert("Hello! ", at: 0) }
        for lock in locks {
            #expect(try Self.text([phone, lock]).hasSuffix("Hello! Dear clowns"))
            let assembly = try TextAssembly(
                startingWith: Self.start, copies: [phone, lock], owner: "alice")
            let name = try assembly.text(as: TextSite("phone")) == nil ? "phone.2" : "phone"
            let next = try Self.copy(name, by: "alice", after: [phone, lock]) {
                try $0.insert("!", at: $0.count)
            }
            let all = name == "phone" ? [next, lock] : [phone, next, lock]
            #expect(try Self.text(all).hasSuffix("Hello! Dear clowns!"))
        }
    }

    @Test(
        "A long chain of missing ancestors is followed once, not for each text below it",
        .timeLimit(.minutes(1)))
    func missingChain() throws {
        let (length, leaves) = (20_000, 2000)
        // The copy of the site b has none of the numbers that the copy of a claims for it.
        let empty = Self.forged(sites: [("b", length)], runs: [], text: "")
        var runs = (0..<length).map { (site: 0, first: $0, parentRun: $0, place: 1, stretches: [1]) }
        runs += (0..<leaves).map { (site: 1, first: $0, parentRun: length, place: 1, stretches: [1]) }
        let chain = Self.forged(
            sites: [("b", length), ("a", leaves)], runs: runs,
            text: String(repeating: "b", count: length) + String(repeating: "a", count: leaves))
        let assembly = try TextAssembly(
            startingWith: Self.start, copies: [Self.evil(empty, as: "b"), Self.evil(chain, as: "a")],
            owner: "alice")
        #expect(assembly.string.count { $0 == "a" } == leaves + 1)
        #expect(assembly.string.contains(Self.start))
    }

    @Test("Copies whose texts refer to each other in a cycle are all shown")
    func circle() throws {
        let left = Self.forged(
            sites: [("a", 1), ("b", 1)], runs: [(1, 0, 0, 1, [1]), (0, 0, 1, 1, [1])], text: "ba")
        let right = Self.forged(
            sites: [("a", 1), ("b", 1)], runs: [(0, 0, 0, 1, [1]), (1, 0, 1, 1, [1])], text: "ab")
        let text = try Self.text([try Self.evil(left, as: "a"), try Self.evil(right, as: "b")])
        // The start text contains one of the three letters.
        #expect(text.filter { "ab".contains($0) }.count == 3)
        #expect(text.contains(Self.start))
    }

    @Test("The limits of one person do not count for the owner, and a copy beyond them is named")
    func limits() throws {
        let long = String(repeating: "x", count: TextLimits.scalars / 8 + 1)
        let guest = try Self.copy("guest", by: "bob") { try $0.insert(long, at: 0) }
        let assembly = try TextAssembly(startingWith: Self.start, copies: [guest], owner: "alice")
        let error = TextError.full(what: "scalars of one person", limit: TextLimits.scalars / 8)
        #expect(assembly.errors == ["note.guest": error])
        #expect(assembly.string == Self.start)
        let own = try TextAssembly(startingWith: Self.start, copies: [guest], owner: "bob")
        #expect(own.errors.isEmpty)
        #expect(own.string == long + Self.start)
        let fits = try Self.copy("guest", by: "bob") { try $0.insert(String(long.dropFirst()), at: 0) }
        #expect(try Self.text([fits]).count == TextLimits.scalars / 8 + Self.start.count)
    }

    @Test("Devices that write beside hostile copies have the same text, and their own words stay in it")
    func random() throws {
        for seed in 1...30 as ClosedRange<UInt64> {
            var life = CopyLife(seed: seed)
            try life.run(turns: 40)
            #expect(life.faults == [], "seed \(seed)")
        }
    }
}

/// Devices of two people that write into one text, and a third person who writes damaged copies. A seed
/// determines what they do.
private struct CopyLife {
    private var numbers: SeededNumbers
    private var copies: [String: TextCopy] = [:]
    private var letters = 0
    private(set) var faults: [String] = []

    init(seed: UInt64) { numbers = SeededNumbers(seed: seed) }

    mutating func run(turns: Int) throws {
        for _ in 0..<turns {
            if numbers.chance(40) { try attack() } else { try write() }
            try check()
        }
    }

    private func assembled(_ copies: [TextCopy]) throws -> TextAssembly {
        try TextAssembly(startingWith: "[]", copies: copies, owner: "alice")
    }

    /// A device types a letter and sends its copy. The letter must then be in the text of all devices.
    private mutating func write() throws {
        let device = numbers.pick(["phone", "tablet", "guest"])
        let all = Array(copies.values).shuffled(using: &numbers)
        let assembly = try assembled(all)
        for number in 1...50 {
            let site = try TextSite(number == 1 ? device : "\(device).\(number)")
            if copies[site.name]?.author == "mallory" { continue }
            guard var text = assembly.text(as: site) else { continue }
            let letter = String(Character(Unicode.Scalar(UInt32(0x4E00 + letters)) ?? "?"))
            letters += 1
            try text.insert(letter, at: numbers.below(text.count + 1))
            copies[site.name] = TextCopy(
                name: site.name, site: site, author: device == "guest" ? "bob" : "alice",
                snapshot: text.takeSnapshot())
            let after = try assembled(Array(copies.values)).string
            if after != text.text { faults.append("\(device) has \(text.text), others \(after)") }
            return
        }
        faults.append("\(device) cannot write")
    }

    /// Mallory damages a copy and sends it as one of hers, under a random name.
    private mutating func attack() throws {
        guard let victim = copies.keys.sorted().randomElement(using: &numbers), let copy = copies[victim]
        else {
            return
        }
        var bytes = [UInt8](copy.snapshot)
        for _ in 0..<1 + numbers.below(3) { numbers.damage(&bytes, words: ["phone", "tablet", "guest"]) }
        let name = numbers.pick(["evil", "mallory", "a", "zzz", "phone.2", "guest.2"])
        if let known = copies[name], known.author != "mallory" { return }
        copies[name] = TextCopy(
            name: name, site: try TextSite(name), author: "mallory", snapshot: Data(bytes))
    }

    private mutating func check() throws {
        let texts = try (0..<3).map { _ in
            try assembled(Array(copies.values).shuffled(using: &numbers)).string
        }
        if Set(texts).count > 1 { faults.append("devices differ: \(texts)") }
    }
}
