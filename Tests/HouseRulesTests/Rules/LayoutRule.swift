import Foundation

/// What lies in the root folder, what names a machine, and what a script says of itself.
enum LayoutRule {
    static let allowedAtTop: Set = [
        "Package.swift", "README.md", "LICENSE", "Sources", "Tests", "Demo", "Data",
        // Written by the package manager, never kept.
        "Package.resolved",
    ]

    static func findings(topLevel names: [String]) -> [Finding] {
        names.filter { !$0.hasPrefix(".") && !allowedAtTop.contains($0) }.map {
            Finding(
                path: $0, line: 1, problem: "this does not belong in the root folder",
                remedy: "Move it into Sources, Tests, Demo or Data")
        }
    }

    /// Folders of one machine and hosts of package registries, in any text file.
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

    /// Put together from parts, so that this file is free of them.
    private static let forbidden: [(text: String, kind: String)] =
        ["home", "work", "Users", "root"].map { (text: "/" + $0 + "/", kind: "a folder of one machine") }
        + [
            ["pypi", "org"], ["pythonhosted", "org"], ["npmjs", "org"], ["crates", "io"], ["golang", "org"],
        ]
        .map { (text: $0.joined(separator: "."), kind: "the host of a package registry") }

    /// Whether a line has the mark; a slash must begin a path, not go on with a relative one or an address.
    private static func names(_ line: Substring, _ mark: String) -> Bool {
        line.ranges(of: mark).contains { range in
            guard mark.hasPrefix("/"), range.lowerBound > line.startIndex else { return true }
            let before = line[line.index(before: range.lowerBound)]
            return !(before.isLetter || before.isNumber || ".~_-})".contains(before))
        }
    }
}
