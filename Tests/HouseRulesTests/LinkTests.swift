import Foundation
import Testing

@Suite("Links between the pages of the documentation")
struct LinkTests {
    private static let folder = "Sources/Cloudlet/Documentation.docc/"

    /// The pages of the main catalogue, by name.
    private static let pages: [String: String] = {
        let files = House.texts.filter { $0.path.hasPrefix(folder) && $0.path.hasSuffix(".md") }
        let named = files.map { (String($0.path.dropFirst(folder.count).dropLast(3)), $0.text) }
        return Dictionary(named, uniquingKeysWith: { first, _ in first })
    }()

    /// The names in links such as `<doc:Hosting>`.
    private static func linked(in text: String) -> [String] {
        text.matches(of: /<doc:([^>#]+)[^>]*>/).map { String($0.output.1) }
    }

    @Test("The first page links to every other page, and every link has its page")
    func catalogue() throws {
        let first = try #require(Self.pages["Cloudlet"])
        let others = Set(Self.pages.keys).subtracting(["Cloudlet"])
        #expect(others.isSuperset(of: ["WhenNotToUse", "Fidelity", "Hosting"]))
        #expect(Set(Self.linked(in: first)) == others)
        for (name, text) in Self.pages {
            let broken = Set(Self.linked(in: text)).subtracting(Self.pages.keys)
            #expect(broken.isEmpty, "\(name).md links to missing pages")
        }
    }

    @Test("Every link to a file is valid, and the README says when not to use Cloudlet")
    func files() throws {
        let documents = House.texts.filter { $0.path.hasSuffix(".md") && !$0.path.hasPrefix("Tests/") }
        #expect(documents.count > 10)
        for (path, text) in documents {
            let page = House.root.appendingPathComponent(path)
            for match in text.matches(of: /\]\(([^)\s#:]+)(?:#[^)\s]*)?\)/) {
                let target = page.deletingLastPathComponent().appendingPathComponent(String(match.output.1))
                #expect(
                    FileManager.default.fileExists(atPath: target.path),
                    "\(path): there is no \(match.output.1)")
            }
        }
        let readme = try #require(documents.first { $0.path == "README.md" })
        #expect(readme.text.contains("](\(Self.folder)WhenNotToUse.md)"))
    }
}
