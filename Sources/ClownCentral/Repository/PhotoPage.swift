import Cloudlet
import Foundation

/// One page of photos with thumbnails, and the cursor for the next page.
struct PhotoPage: Sendable {
    /// The page size without `--limit`.
    static let defaultLimit = 20

    let photos: [ListedPhoto]
    /// One error for each record that could not be read as a photo.
    var unreadable: [RepositoryError] = []
    /// The start of the next page; nil on the last page.
    let cursor: CKQueryOperation.Cursor?
}
