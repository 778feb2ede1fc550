// Owns one thing that could stand at the cursor.
import Foundation

/// A completion with a few words about it.
struct Candidate: Hashable, Sendable {
    let text: String
    let summary: String
    /// Whether somebody gave this name to something; else it is a word of the language, and stands as it is.
    private(set) var isName = false

    /// The same as a name, which is quoted where it could be read as anything else.
    var asName: Candidate {
        var name = self
        name.isName = true
        return name
    }

    init(_ text: String, _ summary: String = "") {
        self.text = text
        self.summary = summary
    }
}
