import Foundation

/// Trouble of the app's own making or finding; what the cloud itself reports stays a `CKError`.
enum RepositoryError: Error, Equatable {
    /// A record lacks a field that the model cannot do without, or the field has another type.
    case unreadable(recordType: String, recordName: String, field: String)
    /// A photo was stored without the file that is asked for.
    case noFile(photo: Photo.ID, field: String)
}
