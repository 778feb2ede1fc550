import Foundation

/// Checks the names in the root folder, and that no file names a folder of one machine or a package registry.
enum LayoutRule {
    static let allowedAtTop: Set = [
        "Package.swift", "README.md", "LICENSE", "Sources", "Tests", "Demo", "Data",
        // Written by the package manager, and not under version control.
        "Package.resolved",
    ]

    static func findings(topLevel names: [String]) -> [Finding] {
        names.filter { !$0.hasPrefix(".") && !allowedAtTop.contains($0) }.map {
            Finding(
                path: $0, line: 1, problem: "the name is not allowed in the root folder",
                remedy: "Move it into Sources, Tests, Demo or Data")
        }
    }

    /// Finds folders of one machine and hosts of package registries in a text file.
    static func findings(path: String, text: String) -> [Finding] {
        guard forbidden.contains(where: { text.has($0.text) }) else { return [] }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.enumerated().flatMap { index, line in
            forbidden.filter { names(line, $0.text) }.map {
                Finding(
                    path: path, line: index + 1, problem: "the file names \($0.kind), \($0.text)",
                    remedy: "Use a path relative to the project, or a placeholder")
            }
        }
    }

    /// Composed of parts, so that this file does not contain them.
    private static let forbidden: [(text: String, kind: String)] =
        ["home", "work", "Users", "root"].map { (text: "/" + $0 + "/", kind: "a folder of one machine") }
        + [
            ["pypi", "org"], ["pythonhosted", "org"], ["npmjs", "org"], ["crates", "io"], ["golang", "org"],
        ]
        .map { (text: $0.joined(separator: "."), kind: "the host of a package registry") }

    /// Whether a line contains the mark. A mark that begins with a slash must begin an absolute path.
    private static func names(_ line: Substring, _ mark: String) -> Bool {
        line.ranges(of: mark).contains { range in
            guard mark.hasPrefix("/"), range.lowerBound > line.startIndex else { return true }
            let before = line[line.index(before: range.lowerBound)]
            return !(before.isLetter || before.isNumber || ".~_-})".contains(before))
        }
    }
}
