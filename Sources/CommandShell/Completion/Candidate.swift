import Foundation

/// A possible completion with a short description.
public struct Candidate: Hashable, Sendable {
    /// The text that Tab inserts.
    public let text: String
    /// A short description.
    public let summary: String
    /// Whether the text is a name that a person gave, which must be quoted for the shell. Otherwise it is a
    /// word of the shell's language.
    public private(set) var isName = false

    /// The same candidate as a name: it is quoted where it could be misread.
    public var asName: Candidate {
        var name = self
        name.isName = true
        return name
    }

    /// Creates a candidate.
    public init(_ text: String, _ summary: String = "") {
        self.text = text
        self.summary = summary
    }
}
