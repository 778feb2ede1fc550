// Owns one column of a table of results.
import CommandText
import Foundation

/// Which field a column shows and under which heading.
struct Column: Equatable, Sendable {
    let heading: String
    let path: [String]
    /// Whether the column gives way first when the terminal is narrow.
    let isFlexible: Bool

    /// What becomes of the column when the terminal is narrow.
    var fit: TextTable.Fit {
        if isFlexible { return .text }
        if path == ["id"] { return .kept }
        return path == ["name"] ? .name : .whole
    }

    init(_ heading: String, _ path: String..., isFlexible: Bool = false) {
        self.heading = heading
        self.path = path
        self.isFlexible = isFlexible
    }
}
