// Owns the rules on what lies in the root folder and on machines leaking into files.

import Foundation

enum LayoutRule {
    static let allowedAtTop: Set = [
        "Package.swift", "README.md", "LICENSE", "Sources", "Tests", "Demo", "Data",
    ]
    /// Written by the package manager, never kept.
    static let leftByBuilds: Set = ["Package.resolved"]

    static func findings(topLevel names: [String]) -> [Finding] {
        names.filter { !$0.hasPrefix(".") && !allowedAtTop.contains($0) && !leftByBuilds.contains($0) }.map {
            Finding(
                path: $0, line: 1, problem: "this does not belong into the root folder",
                remedy: "Move it into Sources, Tests, Demo or Data"
            )
        }
    }

    /// Folders of one machine and hosts of registries, in any text file.
    static func findings(in file: HouseText) -> [Finding] {
        let bytes = Data(file.text.utf8)
        return forbidden.flatMap { mark in
            lines(of: mark.text, in: bytes).map { line in
                Finding(
                    path: file.path, line: line, problem: "the file names \(mark.kind), \(mark.text)",
                    remedy: "Use a path relative to the project, or a placeholder"
                )
            }
        }
    }

    /// Put together from parts, so that this file is free of them.
    private static let forbidden: [(text: String, kind: String)] =
        ["home", "work", "Users", "root"].map { (text: "/" + $0 + "/", kind: "a folder of one machine") }
        + [
            ["pypi", "org"], ["pythonhosted", "org"], ["npmjs", "org"], ["crates", "io"], ["golang", "org"],
        ]
        .map { (text: $0.joined(separator: "."), kind: "the host of a registry") }

    private static func lines(of mark: String, in bytes: Data) -> [Int] {
        let needle = Data(mark.utf8)
        var found: [Int] = []
        var start = bytes.startIndex
        while let range = bytes.range(of: needle, in: start..<bytes.endIndex) {
            if !mark.hasPrefix("/") || beginsPath(at: range.lowerBound, in: bytes) {
                found.append(bytes[..<range.lowerBound].count { $0 == UInt8(ascii: "\n") } + 1)
            }
            start = range.upperBound
        }
        return found
    }

    /// Whether a slash begins a path, rather than going on with a relative path or an address.
    private static func beginsPath(at place: Int, in bytes: Data) -> Bool {
        guard place > bytes.startIndex else { return true }
        let before = Character(Unicode.Scalar(bytes[place - 1]))
        return !(before.isLetter || before.isNumber || ".~_-})".contains(before))
    }
}
