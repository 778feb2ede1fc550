import Foundation

/// The word that is being typed: its position and the source of its candidates.
struct CompletionSite: Equatable, Sendable {
    /// The source of the candidates.
    enum Source: Equatable, Sendable {
        case words([Candidate])
        /// Names that the program looks up, and the words that are possible in addition.
        case live(ValueKind, or: [Candidate] = [])
        case files
        case nothing
    }

    /// The characters of the line that a candidate replaces.
    let range: Range<Int>
    /// The typed part of the word, without quotes.
    let typed: String
    let source: Source
    /// The words before it.
    var head: [String] = []
    /// The values of the command among the words before it.
    var given: [String] = []
}
