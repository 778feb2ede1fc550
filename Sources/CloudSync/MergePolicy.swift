/// Determines the value of a field that this device and another one have changed, both starting from the same
/// version.
///
/// ```swift
/// var policy = MergePolicy()
/// policy["Receipt", "total"] = .sum
/// policy["Receipt", "labels"] = .union
/// ```
///
/// A field that only one side changed gets that change, without a policy. A value wins over its removal.
public struct MergePolicy: Hashable, Sendable {
    /// A way of merging two values into one.
    public enum Rule: String, Hashable, Sendable, CaseIterable {
        /// `text` for texts, `lastWriter` for all other values.
        case automatic
        /// For texts: keeps all words that either side added, and removes the words that either side removed.
        case text
        /// The value that reaches the server last, which is this device's.
        case lastWriter
        /// The value that reached the server first.
        case server
        /// For lists: keeps the elements that either side added, and removes those that either side removed.
        case union
        /// For numbers: adds the changes of both sides to the common base. Integers wrap around on overflow.
        case sum
    }

    private struct Key: Hashable {
        var type: String
        var field: String
    }

    /// The rule for fields without one of their own.
    public var standard: Rule = .automatic
    private var rules: [Key: Rule] = [:]

    /// Creates a policy in which every field has the rule `automatic`, which loses no words of texts.
    public init() {}

    /// The rule for a field of a type.
    public subscript(type: String, field: String) -> Rule {
        get { rules[Key(type: type, field: field)] ?? standard }
        set { rules[Key(type: type, field: field)] = newValue }
    }
}
