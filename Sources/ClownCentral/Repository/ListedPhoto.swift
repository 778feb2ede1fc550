import Foundation

/// A photo of a list, with its thumbnail file.
struct ListedPhoto: Sendable {
    /// A thumbnail file that was fetched with its photo.
    struct Thumbnail: Hashable, Sendable {
        var file: URL
        var byteCount: Int
        var size: PixelSize?

        /// Reads the length and the pixel size from the file; nil if the file cannot be read.
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
