import Foundation

/// What Tab does to the line.
struct Completion: Equatable, Sendable {
    let range: Range<Int>
    /// The text that replaces the range; nothing when it would add nothing.
    let insertion: String?
    /// The candidates to show when there are several.
    let candidates: [Candidate]
}
