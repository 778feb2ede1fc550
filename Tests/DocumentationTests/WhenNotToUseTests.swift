import Foundation
import Records
import Testing

@testable import TestKit

/// A page that says what is missing is wrong as soon as somebody adds it. Each sentence has its evidence.
@Suite("The page on when not to use Cloudlet")
struct WhenNotToUseTests {
    /// What shows that a sentence of the list is true.
    private enum Evidence: Sendable {
        /// No source declares a type of this name.
        case absent(String)
        /// Another page says so, too.
        case page(String, says: String)
        /// The default of the limit on a file's bytes.
        case fileLimit(Int)
    }

    /// The beginnings of the list's lines, with their evidence.
    private static let evidence: [(line: String, Evidence)] = [
        ("`NSPersistentCloudKitContainer`", .absent("NSPersistentCloudKitContainer")),
        ("Dialogs for sharing", .absent("UICloudSharingController")),
        (
            "A system process",
            .page(
                "Sources/Cloudlet/Documentation.docc/Fidelity.md",
                says: "no work is done while no process runs")
        ),
        ("Files above 50 MB", .fileLimit(50 << 20)),
        ("Platforms other than Linux", .page("README.md", says: "It is built and tested on Linux only.")),
    ]

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: URL.package.appending(path: path), encoding: .utf8)
    }

    @Test("Every line of what Cloudlet lacks has evidence, in the same order")
    func lines() throws {
        let page = try Self.text("Sources/Cloudlet/Documentation.docc/WhenNotToUse.md")
        let list = try #require(page.components(separatedBy: "## What Cloudlet lacks\n").last)
        let lines = list.split(separator: "\n").filter { $0.hasPrefix("- ") }.map { String($0.dropFirst(2)) }
        try #require(lines.count == Self.evidence.count)
        for (line, known) in zip(lines, Self.evidence) { #expect(line.hasPrefix(known.line), "\(line)") }
    }

    @Test("The evidence holds", arguments: Self.evidence.indices)
    func holds(index: Int) throws {
        switch Self.evidence[index].1 {
        case .absent(let name):
            let folder = URL.package.appending(path: "Sources")
            let declaration = try Regex(#"\b(?:class|struct|enum|protocol|typealias|actor) "# + name + #"\b"#)
            for file in try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            where file.hasSuffix(".swift") {
                let text = try Self.text("Sources/" + file)
                #expect(!text.contains(name) || !text.contains(declaration), "\(file) declares \(name)")
            }
        case .page(let path, let sentence):
            #expect(try Self.text(path).contains(sentence), "\(path) no longer says: \(sentence)")
        case .fileLimit(let bytes):
            #expect(Limits().assetBytes == Int64(bytes))
        }
    }
}
