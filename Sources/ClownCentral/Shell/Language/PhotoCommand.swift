// Owns what can be asked about photos.
import Foundation

/// A command about the photos of parties.
enum PhotoCommand: Equatable, Sendable {
    case add(party: Word, files: [Word])
    case list(party: Word, limit: Int?)
    /// The next page of the last list.
    case next
    case remove(photo: Word)
    case save(photo: Word, file: Word, isThumbnail: Bool)
}
