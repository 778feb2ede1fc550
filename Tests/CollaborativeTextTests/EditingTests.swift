import Testing

@testable import CollaborativeText

@Suite("Editing a text")
struct EditingTests {
    private static func text(_ site: String = "phone") throws -> CollaborativeText {
        CollaborativeText(site: try TextSite(site))
    }

    /// Two devices with the same text.
    private static func pair(_ start: String) throws -> (CollaborativeText, CollaborativeText) {
        var (phone, tablet) = (try text("phone"), try text("tablet"))
        try phone.insert(start, at: 0)
        try tablet.apply(phone.takeContributions())
        return (phone, tablet)
    }

    /// Lets two devices apply each other's contributions. Returns the text of both.
    private static func merged(
        _ one: inout CollaborativeText, _ two: inout CollaborativeText
    ) throws -> String {
        let (first, second) = (one.takeContributions(), two.takeContributions())
        try one.apply(second)
        try two.apply(first)
        #expect(one.text == two.text)
        return one.text
    }

    @Test("Text is inserted, deleted and replaced at positions")
    func edits() throws {
        var text = try Self.text()
        try text.insert("Dear clowns", at: 0)
        try text.insert("red ", at: 5)
        #expect(text.text == "Dear red clowns")
        try text.delete(0..<5)
        try text.replace(0..<3, with: "blue")
        #expect(text.text == "blue clowns")
        #expect(text.count == 11)
        #expect(text.text(in: 5..<90) == "clowns")
    }

    @Test("A position outside of the text is refused", arguments: [-1..<0, 0..<4, 4..<4, 3..<5])
    func outside(range: Range<Int>) throws {
        var text = try Self.text()
        try text.insert("abc", at: 0)
        #expect(throws: TextError.position(range, count: 3)) { try text.replace(range, with: "x") }
        #expect(text.text == "abc")
    }

    @Test("Typing key by key is one contribution, and so is deleting key by key")
    func runs() throws {
        var text = try Self.text()
        for (place, key) in "Dear clowns".enumerated() { try text.insert(String(key), at: place) }
        let start = ScalarID(site: text.site, number: 0)
        #expect(
            text.takeContributions() == [
                try TextContribution(id: start, content: .run("Dear clowns", .start))
            ])
        for place in (7..<11).reversed() { try text.delete(place..<place + 1) }
        let gone = ScalarRange(first: ScalarID(site: text.site, number: 7), count: 4)
        let id = ScalarID(site: text.site, number: 11)
        #expect(text.takeContributions() == [try TextContribution(id: id, content: .deletion([gone]))])
        #expect(text.text == "Dear cl")
        #expect(text.takeContributions() == [])
    }

    @Test("Long insertions become several contributions")
    func longInsertion() throws {
        var text = try Self.text()
        let long = String(repeating: "x", count: TextLimits.scalarsPerRun + 1)
        try text.insert(long, at: 0)
        let contributions = text.takeContributions()
        #expect(contributions.map(\.size) == [TextLimits.scalarsPerRun, 1])
        var other = try Self.text("tablet")
        try other.apply(contributions)
        #expect(other.text == long)
    }

    @Test(
        "Texts of two people typed at one place do not mix, forwards or backwards", arguments: [false, true])
    func noInterleaving(isBackward: Bool) throws {
        var (phone, tablet) = try Self.pair("Dear , come")
        for key in isBackward ? "uncles".reversed() : Array("uncles") {
            try phone.insert(String(key), at: isBackward ? 5 : phone.count - 6)
        }
        for key in isBackward ? "aunts".reversed() : Array("aunts") {
            try tablet.insert(String(key), at: isBackward ? 5 : tablet.count - 6)
        }
        #expect(try Self.merged(&phone, &tablet) == "Dear unclesaunts, come")
    }

    @Test("The words of two people stay whole after corrections and cursor moves in one place")
    func corrections() throws {
        var (phone, tablet) = try Self.pair("<>")
        try phone.insert("nozes", at: 1)
        try phone.delete(3..<4)
        try phone.insert("s", at: 3)
        try tablet.insert("ies", at: 1)
        try tablet.insert("p", at: 1)
        #expect(try Self.merged(&phone, &tablet) == "<nosespies>")
    }

    /// A text, an edit of a range, and the text after it.
    @Test(
        "Edits are widened to whole characters",
        arguments: [
            ("cafe\u{301}s", 3..<4, "", "cafs"), ("cafe\u{301}s", 4..<5, "", "cafs"),
            ("cafe\u{301}s", 4..<4, "x", "cafe\u{301}xs"), ("cafes", 4..<4, "\u{301}", "cafe\u{301}s"),
            ("👩🏽‍🚀!", 1..<2, "", "!"), ("👩!", 1..<1, "🏽", "👩🏽!"), ("a\r\nb", 2..<2, "x", "a\r\nxb"),
            ("a\r\nb", 1..<2, "", "ab"), ("🇩🇪🇫🇷", 0..<1, "", "🇫🇷"), ("🇩🇪🇫🇷", 3..<4, "", "🇩🇪"),
            ("한", 1..<1, "\u{11A8}", "한\u{11A8}"),
        ])
    func wholeCharacters(old: String, range: Range<Int>, new: String, expected: String) throws {
        var text = try Self.text()
        try text.insert(old, at: 0)
        try text.replace(range, with: new)
        #expect(Array(text.text.unicodeScalars) == Array(expected.unicodeScalars))
    }

    @Test("Text of another device cannot come between a letter and an accent typed after it")
    func accents() throws {
        var (phone, tablet) = try Self.pair("cafe")
        try phone.insert("\u{301}", at: 4)
        try tablet.insert("s", at: 4)
        #expect(try Self.merged(&phone, &tablet) == "cafe\u{301}s")
        var (laptop, watch) = try Self.pair("👩 sings")
        try laptop.insert("\u{200D}🚀", at: 1)
        try watch.insert("!", at: 1)
        #expect(try Self.merged(&laptop, &watch) == "👩\u{200D}🚀! sings")
    }

    @Test("change(to:) inserts and deletes whole words")
    func changes() throws {
        var (phone, tablet) = try Self.pair("Dear clowns")
        try phone.change(to: "Dear clowns, bring noses")
        try tablet.change(to: "Dear red clowns, bring pies")
        #expect(try Self.merged(&phone, &tablet) == "Dear red clowns, bring noses, bring pies")
        try phone.change(to: "")
        #expect(phone.text == "")
        try phone.change(to: "Dear 🤡")
        #expect(phone.text == "Dear 🤡")
        try phone.change(to: "Dear 🤡")
        #expect(phone.count == 6)
    }

    @Test("An anchor stays at its scalar, or at the scalar's place after a deletion")
    func anchors() throws {
        var (phone, tablet) = try Self.pair("Dear clowns")
        let (left, right) = (try phone.anchor(at: 4), try phone.anchor(at: 5, keepingTo: .right))
        let (start, end) = (try phone.anchor(at: 0), try phone.anchor(at: 11, keepingTo: .right))
        try tablet.insert("My ", at: 0)
        try tablet.insert(" little", at: 7)
        try tablet.insert("!", at: tablet.count)
        #expect(try Self.merged(&phone, &tablet) == "My Dear little clowns!")
        #expect(try [start, left, right, end].map(phone.position) == [0, 7, 15, 22])
        try tablet.delete(5..<17)
        #expect(try Self.merged(&phone, &tablet) == "My Deowns!")
        #expect(try [start, left, right, end].map(phone.position) == [0, 5, 5, 10])
        let unknown = ScalarID(site: try TextSite("watch"), number: 3)
        #expect(throws: TextError.unknown(unknown)) { try phone.position(of: .after(unknown)) }
        #expect(throws: TextError.position(12..<12, count: 10)) { try phone.anchor(at: 12) }
    }

    @Test("Compaction frees deleted scalars, and later contributions still find their places")
    func compaction() throws {
        var (phone, tablet) = try Self.pair("Dear little clowns")
        try tablet.insert(" red", at: 11)
        try phone.delete(5..<12)
        let sent = phone.takeContributions()
        phone.compact()
        #expect(phone.scalars.count == 11)
        var fresh = try CollaborativeText(snapshot: phone.takeSnapshot(), site: try TextSite("watch"))
        let late = tablet.takeContributions()
        try phone.apply(late)
        try fresh.apply(late)
        try tablet.apply(sent)
        #expect([phone.text, fresh.text, tablet.text] == Array(repeating: "Dear  redclowns", count: 3))
    }

    @Test("Text typed after a snapshot is a contribution of its own")
    func snapshotWhileTyping() throws {
        var (phone, tablet) = try Self.pair("Dear clowns")
        try phone.insert(",", at: 11)
        try tablet.merge(phone.takeSnapshot())
        try phone.insert(" bring", at: 12)
        try phone.delete(0..<1)
        try tablet.merge(phone.takeSnapshot())
        try phone.delete(0..<1)
        let sent = phone.takeContributions()
        #expect(sent.count == 4)
        try tablet.apply(sent)
        #expect(tablet.text == "ar clowns, bring")
    }

    @Test("Merging snapshots of other devices keeps the edits of both, also if merged twice")
    func mergedSnapshots() throws {
        var (phone, tablet) = try Self.pair("Dear clowns")
        try phone.insert(" and friends", at: 11)
        try tablet.insert("My ", at: 0)
        try tablet.delete(3..<8)
        let (one, two) = (phone.takeSnapshot(), tablet.takeSnapshot())
        try phone.merge(two)
        try tablet.merge(one)
        try tablet.merge(one)
        #expect(phone.text == "My clowns and friends")
        #expect(tablet.text == phone.text)
        #expect(phone.takeContributions().allSatisfy(tablet.includes))
    }

    @Test("Devices that begin with the same stored text have it once, with the edits of both")
    func start() throws {
        for stored in ["Dear clowns", "", String(repeating: "clown ", count: TextLimits.scalarsPerRun / 3)] {
            var phone = try CollaborativeText(startingWith: stored, site: try TextSite("phone"))
            var tablet = try CollaborativeText(startingWith: stored, site: try TextSite("tablet"))
            #expect(phone.text == stored)
            #expect(phone.takeContributions().isEmpty)
            try phone.insert("My ", at: 0)
            try tablet.insert("!", at: tablet.count)
            try phone.merge(tablet.takeSnapshot())
            try tablet.merge(phone.takeSnapshot())
            #expect(phone.text == tablet.text)
            #expect(phone.count == stored.unicodeScalars.count + 4)
        }
    }

    @Test("Devices that begin with different stored texts keep both")
    func differentStarts() throws {
        var phone = try CollaborativeText(startingWith: "noses", site: try TextSite("phone"))
        var tablet = try CollaborativeText(startingWith: "pies", site: try TextSite("tablet"))
        try phone.merge(tablet.takeSnapshot())
        try tablet.merge(phone.takeSnapshot())
        #expect(phone.text == tablet.text)
        #expect(phone.text.contains("noses") && phone.text.contains("pies"))
    }
}
