import Foundation

/// An error that the app itself detects. Errors of the server stay `CKError`s.
enum RepositoryError: Error, Equatable {
    /// A required field is missing or has another type.
    case unreadable(recordType: String, recordName: String, field: String)
    /// A photo has no file in the requested field.
    case noFile(photo: Photo.ID, field: String)
    /// A note is to be shared, but the server does not have it yet.
    case notSent(note: String)
    /// A command about a share was given for a note that is not shared.
    case notShared(note: String)
    /// A command about a note of another person was given for one of the signed-in person.
    case ownNote(note: String, remedy: String)
    /// People are to be invited to a note that is open to everybody who has its URL.
    case openToAll(note: String)
    /// The app does not offer to share a note with these people.
    case notOffered(String)
    /// The text of a note, or the record of its edits, would be longer than a record may be.
    case tooLong(note: String)
}
