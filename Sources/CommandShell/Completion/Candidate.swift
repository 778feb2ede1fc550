import Foundation

/// A completion with a few words about it.
public struct Candidate: Hashable, Sendable {
    /// What Tab puts into the line.
    public let text: String
    /// A few words about it.
    public let summary: String
    /// Whether somebody gave this name to something; else it is a word of the language, and stands as it is.
    public private(set) var isName = false

    /// The same as a name, which is quoted where it could be read as anything else.
    public var asName: Candidate {
        var name = self
        name.isName = true
        return name
    }

    /// A candidate.
    public init(_ text: String, _ summary: String = "") {
        self.text = text
        self.summary = summary
    }
}
