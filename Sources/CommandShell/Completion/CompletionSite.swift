import Foundation

/// The word that is being typed, where it stands, and where its candidates come from.
struct CompletionSite: Equatable, Sendable {
    /// Where candidates come from.
    enum Source: Equatable, Sendable {
        case words([Candidate])
        /// Names that only the program knows, and words that may stand there as well.
        case live(ValueKind, or: [Candidate] = [])
        case files
        case nothing
    }

    /// The characters of the line that a candidate replaces.
    let range: Range<Int>
    /// What is typed of the word, without its quotes.
    let typed: String
    let source: Source
    /// The words before it.
    var head: [String] = []
    /// Those of them that are values of the command.
    var given: [String] = []
}
