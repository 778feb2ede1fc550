/// What becomes of a field that this device and another one changed, each from the same version.
///
/// ```swift
/// var policy = MergePolicy()
/// policy["Receipt", "total"] = .sum
/// policy["Receipt", "labels"] = .union
/// ```
///
/// A field that only one of them changed needs no policy: that change holds. A value wins over its removal.
public struct MergePolicy: Hashable, Sendable {
    /// A way of making one value of two.
    public enum Rule: String, Hashable, Sendable, CaseIterable {
        /// Texts by `text`, everything else by `lastWriter`.
        case automatic
        /// What both typed is kept, and what either took away goes. Nothing that was typed is lost.
        case text
        /// The value that reaches the server last: this device's, which comes second.
        case lastWriter
        /// The value that reached the server first.
        case server
        /// Lists: what either added, without what either took away.
        case union
        /// Numbers: what both added to it.
        case sum
    }

    private struct Key: Hashable {
        var type: String
        var field: String
    }

    /// What holds for fields of which nothing is said.
    public var standard: Rule = .automatic
    private var rules: [Key: Rule] = [:]

    /// The policy that loses nothing that was typed.
    public init() {}

    /// The rule for a field of a type.
    public subscript(type: String, field: String) -> Rule {
        get { rules[Key(type: type, field: field)] ?? standard }
        set { rules[Key(type: type, field: field)] = newValue }
    }
}
