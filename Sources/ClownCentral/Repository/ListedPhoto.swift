// Owns a photo as a list shows it, with its thumbnail but without its full picture.
import Foundation

/// A photo and the small file that was fetched with it.
struct ListedPhoto: Sendable {
    /// The thumbnail that came with the photo.
    struct Thumbnail: Hashable, Sendable {
        var file: URL
        var byteCount: Int
        var size: PixelSize?
    }

    var photo: Photo
    var thumbnail: Thumbnail?
}
