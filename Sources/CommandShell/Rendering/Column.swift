import Foundation

/// Which field a column shows and under which heading.
public struct Column: Equatable, Sendable {
    /// What stands above it.
    public let heading: String
    /// The names that lead to the field, from the outside in.
    public let path: [String]
    /// Whether the column gives way first when the terminal is narrow.
    public let isFlexible: Bool

    /// What becomes of the column when the terminal is narrow.
    var fit: TextTable.Fit {
        if isFlexible { return .text }
        if path == ["id"] { return .kept }
        return path == ["name"] ? .name : .whole
    }

    /// A column that shows the field at a path.
    public init(_ heading: String, _ path: String..., isFlexible: Bool = false) {
        self.heading = heading
        self.path = path
        self.isFlexible = isFlexible
    }
}
