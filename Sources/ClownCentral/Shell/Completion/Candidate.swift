// Owns one thing that could stand at the cursor.
import Foundation

/// A completion with a few words about it.
struct Candidate: Hashable, Sendable {
    let text: String
    let summary: String

    init(_ text: String, _ summary: String = "") {
        self.text = text
        self.summary = summary
    }
}
