// Owns one column of a table of results.
import Foundation

/// Which field a column shows and under which heading.
struct Column: Equatable, Sendable {
    let heading: String
    let path: [String]

    init(_ heading: String, _ path: String...) {
        self.heading = heading
        self.path = path
    }
}
