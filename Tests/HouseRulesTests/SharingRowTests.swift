import Testing

@Suite("Tests of sharing and the sentences that they show")
struct SharingRowTests {
    /// The sentences about sharing, by the numbers that the titles of tests name.
    private static let sentences = (36...84).map { "N\($0)" }

    /// The names in brackets, such as (N74), in the titles of the suites and tests of a file.
    static func named(in text: String) -> Set<String> {
        let titles = text.matches(of: #/@(?:Test|Suite)\(\s*("""[\s\S]*?"""|"(?:[^"\\\n]|\\.)*")/#)
        let names = titles.flatMap { title in
            title.output.1.matches(of: /\((N[0-9]+(?:, N[0-9]+)*)\)/).flatMap { list in
                list.output.1.split(separator: ", ").map { String($0) }
            }
        }
        return Set(names)
    }

    @Test("Each sentence from N36 to N84 is named in the title of a test or suite")
    func rows() {
        let files = House.texts.filter { path, _ in
            path.hasPrefix("Tests/") && path.hasSuffix(".swift") && !path.contains("HouseRules")
        }
        let named = files.reduce(into: Set<String>()) { $0.formUnion(Self.named(in: $1.text)) }
        let missing = Self.sentences.filter { !named.contains($0) }
        #expect(missing.isEmpty, "write the number into the title of the test that shows the sentence")
    }

    @Test("Only titles count, in all their forms")
    func titles() {
        let text = #"""
            @Suite("A suite (N36, N37)", .serialized)
            @Test("A test with \"quotes\" (N38)", arguments: [1])
            @Test(
                "A test on a line of its own (N39)",
                arguments: ["(N40)"])
            @Test(
                """
                A long title (N41)
                """)
            func other() { let text = "(N42)" }  // (N43)
            @Test("A title with N44")
            """#
        #expect(Self.named(in: text) == ["N36", "N37", "N38", "N39", "N41"])
    }
}
