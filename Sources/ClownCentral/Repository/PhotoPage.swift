import Cloudlet
import Foundation

/// Photos with their thumbnails, and the place that the next page goes on from.
struct PhotoPage: Sendable {
    /// How many photos a page holds when nobody says how many.
    static let defaultLimit = 20

    let photos: [ListedPhoto]
    /// The records that are no photos of ours, and why.
    var unreadable: [RepositoryError] = []
    /// Where the next page begins; nothing at the end.
    let cursor: CKQueryOperation.Cursor?
}
