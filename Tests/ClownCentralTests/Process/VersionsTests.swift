import Foundation
import Testing

@testable import ShellKit
@testable import TestKit

@Suite("Versions of the dependencies", .timeLimit(.minutes(30)))
struct VersionsTests {
    @Test("A version other than the tested one is a warning that names both")
    func differences() async throws {
        let root = URL.package.path
        let tested = try String(contentsOfFile: root + "/Data/Versions", encoding: .utf8)
            .split(separator: "\n").filter { !$0.hasPrefix("#") }
            .map { $0.split(separator: " ").map(String.init) }
        #expect(tested.allSatisfy { $0.count == 2 })
        var pins = tested
        let changed = try #require(pins.firstIndex { $0[0] == "swift-nio" })
        pins[changed][1] = "99.0.0"
        let gone = pins.removeLast()
        pins.append(["swift-new", "1.0.0"])
        let resolved = pins.map { pin in
            """
                {
                  "identity" : "\(pin[0])",
                  "state" : {
                    "revision" : "abc",
                    "version" : "\(pin[1])"
                  }
                }
            """
        }
        let end = try await Program.shell(
            "cat > r; \(root)/Tests/versions r", input: resolved.joined(separator: ",\n"))
        #expect(end.code == 0, "\(end.errors)")
        #expect(
            end.output == """
                swift-new 1.0.0 is used here; no version of it was tested
                swift-nio 99.0.0 is used here; \(tested[changed][1]) was tested
                \(gone[0]) \(gone[1]) was tested; it is not used here
                warning: these differ from Data/Versions; if the tests pass: Tests/versions --update

                """)
    }
}
