import Foundation
import Testing

@Suite("The list of fidelity")
struct FidelityTests {
    /// A row of the list.
    private struct Row {
        let behaviour: String
        let standing: String
        let proof: String
    }

    private static let path = "Sources/Cloudlet/Documentation.docc/Fidelity.md"

    private static var rows: [[String]] {
        let text = House.texts.first { $0.path == path }?.text ?? ""
        return text.split(separator: "\n").filter { $0.hasPrefix("| ") }.map { line in
            line.dropFirst().split(separator: "|", omittingEmptySubsequences: false).dropLast()
                .map { String($0.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()) }
        }
    }

    private static var claims: [Row] {
        rows.filter { $0.count == 4 && $0[2].hasPrefix("exact") }
            .map { Row(behaviour: $0[0], standing: $0[2], proof: $0[3]) }
    }

    @Test("Every row has a standing, and those that are exact have their proof")
    func shape() {
        #expect(Self.rows.count > 150)
        #expect(Self.claims.count > 40)
        let crooked = Self.rows.filter { $0.count != 4 }
        #expect(crooked.isEmpty)
        let standings = ["exact", "close", "unknown", "standing"]
        let unsaid = Self.rows.filter { row in row.count > 2 && !standings.contains { row[2].hasPrefix($0) } }
        #expect(unsaid.isEmpty)
        let unproved = Self.claims.filter { $0.proof.isEmpty }.map(\.behaviour)
        #expect(unproved.isEmpty)
    }

    @Test("Every test that is named exists")
    func proofs() {
        for claim in Self.claims {
            let parts = claim.proof.split(separator: ".").map { $0.filter { $0 != "`" } }
            #expect(parts.count == 2, "\(claim.behaviour): name a suite and its function, `Suite.function`")
            guard parts.count == 2 else { continue }
            #expect(Self.hasTest(parts[0], parts[1]), "\(claim.behaviour): there is no test \(claim.proof)")
        }
    }

    /// Whether a suite of that name has a test function of that name.
    private static func hasTest(_ suite: String, _ function: String) -> Bool {
        House.texts.contains { file in
            let declares = ["struct", "extension"].contains { file.text.contains("\($0) \(suite) {") }
            guard file.path.hasPrefix("Tests/"), declares else { return false }
            // What stands between a mark and the next one begins with the arguments, then the function.
            return file.text.split(separator: "@Test").dropFirst().contains { test in
                test.split(separator: "func ", maxSplits: 1).last?.hasPrefix("\(function)(") ?? false
            }
        }
    }
}
