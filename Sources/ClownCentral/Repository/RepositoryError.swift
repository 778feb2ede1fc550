import Foundation

/// An error that the app itself detects. Errors of the server stay `CKError`s.
enum RepositoryError: Error, Equatable {
    /// A required field is missing or has another type.
    case unreadable(recordType: String, recordName: String, field: String)
    /// A photo has no file in the requested field.
    case noFile(photo: Photo.ID, field: String)
}
