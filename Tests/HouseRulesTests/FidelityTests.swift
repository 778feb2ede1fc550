import Foundation
import Testing

@Suite("The table of behaviours in Fidelity.md")
struct FidelityTests {
    /// A row of the table.
    private struct Row {
        let behaviour: String
        let standing: String
        let proof: String
    }

    private static let text =
        House.texts.first { $0.path == "Sources/Cloudlet/Documentation.docc/Fidelity.md" }?.text ?? ""

    private static var rows: [[String]] {
        text.split(separator: "\n").filter { $0.hasPrefix("| ") }.map { line in
            line.dropFirst().split(separator: "|", omittingEmptySubsequences: false).dropLast()
                .map { String($0.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()) }
        }
    }

    private static var claims: [Row] {
        rows.filter { $0.count == 4 && $0[2].hasPrefix("exact") }
            .map { Row(behaviour: $0[0], standing: $0[2], proof: $0[3]) }
    }

    /// The kinds of sources that the page explains.
    private static var sources: [String] {
        text.split(separator: "\n").compactMap { $0.prefixMatch(of: /- \*([a-z ]+)\*:/) }
            .map { String($0.output.1) }
    }

    @Test("Every row has a standing, and every exact row has a source and a test")
    func shape() {
        #expect(Self.rows.count > 150)
        #expect(Self.claims.count > 35)
        let malformed = Self.rows.filter { $0.count != 4 }
        #expect(malformed.isEmpty)
        let standings = ["exact", "close", "unknown", "standing"]
        let withoutStanding = Self.rows.filter { row in
            row.count > 2 && !standings.contains { row[2].hasPrefix($0) }
        }
        #expect(withoutStanding.isEmpty)
        let unproved = Self.claims.filter { $0.proof.isEmpty }.map(\.behaviour)
        #expect(unproved.isEmpty)
        #expect(Self.sources.count > 4)
        for claim in Self.claims {
            let named = claim.standing.prefixMatch(of: /exact \(([a-z ]+)(?:: [^)]+)?\)/)?.output.1
            let isKnown = named.map { Self.sources.contains(String($0)) } ?? false
            #expect(
                isKnown,
                "\(claim.behaviour): write `exact (SOURCE: WHERE)` with a source of the page, or `close`")
        }
    }

    @Test("Every exact row names a test, and every test that the page names exists")
    func proofs() {
        for claim in Self.claims {
            let isNamed = claim.proof.wholeMatch(of: /`\w+Tests\.\w+`/) != nil
            #expect(isNamed, "\(claim.behaviour): name a suite and its function, `Suite.function`")
        }
        for match in Self.text.matches(of: /`(\w+Tests)(?:\.(\w+))?`/) {
            let isThere = Self.hasTest(String(match.output.1), match.output.2.map { String($0) })
            #expect(isThere, "there is no test \(match.output.0)")
        }
    }

    @Test("A reference to a missing test is found")
    func noProof() {
        #expect(Self.hasTest("FidelityTests", nil))
        #expect(Self.hasTest("FidelityTests", "noProof"))
        #expect(!Self.hasTest("FidelityTests", "hasTest"))
        #expect(!Self.hasTest("Fidelity", nil))
    }

    /// The texts of the files that declare or extend each suite, by its name.
    private static let suites: [String: [String]] = {
        var suites: [String: [String]] = [:]
        for file in House.texts where file.path.hasPrefix("Tests/") {
            for line in file.text.split(separator: "\n") where line.hasSuffix("Tests {") {
                let words = line.split(separator: " ").dropLast()
                guard let name = words.last, ["struct", "extension"].contains(words.dropLast().last) else {
                    continue
                }
                suites[String(name), default: []].append(file.text)
            }
        }
        return suites
    }()

    /// Whether a suite with this name exists, and contains a test function with this name if one is given.
    private static func hasTest(_ suite: String, _ function: String?) -> Bool {
        guard let texts = suites[suite] else { return false }
        guard let function else { return true }
        // The text between two occurrences of `@Test` begins with its arguments, and the function follows.
        return texts.contains { text in
            text.split(separator: "@Test").dropFirst().contains { test in
                test.split(separator: "func ", maxSplits: 1).last?.hasPrefix("\(function)(") ?? false
            }
        }
    }
}
