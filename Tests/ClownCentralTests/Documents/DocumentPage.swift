import Foundation

@testable import ShellKit
@testable import TestKit

/// The page `CommandLineJSON.md` and the shapes of documents on it.
struct DocumentPage {
    /// One of the two programs. Its shapes are between its heading and the next one.
    enum Program: String, CaseIterable {
        case shell = "## Commands of clown-central"
        case server = "## Commands of cloudlet"
    }

    static let file = URL.package.appendingPathComponent(
        "Sources/CloudletShell/Documentation.docc/CommandLineJSON.md")

    private var text: String

    init() throws { text = try String(contentsOf: Self.file, encoding: .utf8) }

    /// The shapes by the names of their commands.
    func shapes(of program: Program) -> [String: DocumentShape] {
        var shapes: [String: DocumentShape] = [:]
        for section in part(program).components(separatedBy: "\n### ").dropFirst() {
            let heading = section.prefix { $0 != "\n" }
            let block = section.components(separatedBy: "```\n").dropFirst().first ?? ""
            for name in heading.matches(of: /`([^`]+)`/) {
                shapes[String(name.output.1)] = DocumentShape(text: block)
            }
        }
        return shapes
    }

    /// Replaces the shapes of a program by others, in the order of its commands; equal ones share a heading.
    private mutating func replace(_ shapes: [String: DocumentShape], of program: Program, order: [String]) {
        var sections: [(names: [String], text: String)] = []
        for name in order {
            guard let text = shapes[name]?.text else { continue }
            if let same = sections.firstIndex(where: { $0.text == text }) {
                sections[same].names.append(name)
            } else {
                sections.append(([name], text))
            }
        }
        let body = sections.map { section in
            "### " + section.names.map { "`\($0)`" }.joined(separator: ", ")
                + "\n\n```\n\(section.text)\n```\n"
        }
        let old = part(program)
        let head = old.components(separatedBy: "\n### ")[0]
        text = text.replacingOccurrences(of: old, with: head + "\n" + body.joined(separator: "\n"))
    }

    /// Writes the printed shapes into the page. Keeps the page's notes about keys that still exist.
    mutating func update(with printed: PrintedDocuments, _ program: Program, _ names: [String]) throws {
        let old = shapes(of: program)
        let new = printed.shapes.map { name, shape in
            (name, old[name].map { $0.merged(shape).pruned(to: shape) } ?? shape)
        }
        replace(
            Dictionary(uniqueKeysWithValues: new), of: program,
            order: names.flatMap { [$0, $0 + DocumentShape.list, $0 + DocumentShape.batch] })
        try text.write(to: Self.file, atomically: true, encoding: .utf8)
    }

    /// The keys of an error that the page names.
    var errorKeys: Set<String> {
        let section = text.components(separatedBy: "## Errors\n").last?.components(separatedBy: "\n## ")[0]
        return Set((section ?? "").matches(of: /\|\ `(\w+)`\ \|/).map { String($0.output.1) })
    }

    /// A program's part: from its heading to the next one of the same level.
    private func part(_ program: Program) -> String {
        guard let start = text.range(of: program.rawValue) else { return "" }
        let rest = text[start.lowerBound...]
        let end = rest.dropFirst().range(of: "\n## ")?.lowerBound ?? rest.endIndex
        return String(rest[..<end])
    }
}
