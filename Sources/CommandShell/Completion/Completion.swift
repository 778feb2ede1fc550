import Foundation

/// The effect of Tab on the line.
struct Completion: Equatable, Sendable {
    let range: Range<Int>
    /// The text that replaces the range; nil if it would change nothing.
    let insertion: String?
    /// The candidates to list if there are several.
    let candidates: [Candidate]
}
