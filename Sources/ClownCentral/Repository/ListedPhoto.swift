import Foundation

/// A photo and the small file that was fetched with it.
struct ListedPhoto: Sendable {
    /// The thumbnail that came with the photo.
    struct Thumbnail: Hashable, Sendable {
        var file: URL
        var byteCount: Int
        var size: PixelSize?

        /// Reads the length and the size from the file; nothing when it cannot be read.
        init?(file: URL) {
            guard let data = try? Data(contentsOf: file, options: .mappedIfSafe) else { return nil }
            self.file = file
            byteCount = data.count
            size = ImageHeader(data)?.size
        }
    }

    var photo: Photo
    var thumbnail: Thumbnail?
}
