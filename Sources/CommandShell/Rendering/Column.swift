import Foundation

/// A column of a table: its heading and field.
public struct Column: Equatable, Sendable {
    /// The heading.
    public let heading: String
    /// The names that lead to the field, outermost first.
    public let path: [String]
    /// Whether the column is the first to be shortened on a narrow terminal.
    public let isFlexible: Bool
    /// Whether the column's texts continue on further lines of a narrow terminal, for texts that must be read
    /// completely.
    public let isWrapped: Bool
    /// Whether the column is aligned on the right although its values are texts, such as amounts of money.
    public let isRight: Bool

    /// How the column is fitted to a narrow terminal.
    var fit: TextTable.Fit {
        if isWrapped { return .wrapped }
        if isFlexible { return .text }
        if path == ["id"] { return .kept }
        return path == ["name"] ? .name : .whole
    }

    /// Creates a column for the field at a path.
    public init(
        _ heading: String, _ path: String..., isFlexible: Bool = false, isWrapped: Bool = false,
        isRight: Bool = false
    ) {
        self.heading = heading
        self.path = path
        self.isFlexible = isFlexible
        self.isWrapped = isWrapped
        self.isRight = isRight
    }
}
