import Foundation

/// An error that the app itself detects. Errors of the server stay `CKError`s.
enum RepositoryError: Error, Equatable {
    /// A required field is missing or has another type.
    case unreadable(recordType: String, recordName: String, field: String)
    /// A photo has no file in the requested field.
    case noFile(photo: Photo.ID, field: String)
    /// The note to share is not on the server yet.
    case notSent(note: String)
    /// A command for shared notes was given a note that is not shared.
    case notShared(note: String)
    /// A command for notes of other people was given a note of the signed-in person.
    case ownNote(note: String, remedy: String)
    /// An invitation to a note that everybody who has its URL may join.
    case openToAll(note: String)
    /// The app does not offer to share a note with these people.
    case notOffered(String)
    /// The text of a note, or the record of its edits, would be longer than a record may be.
    case tooLong(note: String)
    /// This person has typed as much into a note as one person may, deleted text included.
    case tooManyEdits(note: String)
}
