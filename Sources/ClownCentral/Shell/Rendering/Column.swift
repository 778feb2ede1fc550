// Owns one column of a table of results.
import Foundation

/// Which field a column shows and under which heading.
struct Column: Equatable, Sendable {
    let heading: String
    let path: [String]
    /// Whether the column gives way first when the terminal is narrow.
    let isFlexible: Bool

    init(_ heading: String, _ path: String..., isFlexible: Bool = false) {
        self.heading = heading
        self.path = path
        self.isFlexible = isFlexible
    }
}
