import Foundation

/// A photo and the files to upload with it.
struct PhotoUpload: Sendable {
    let photo: Photo
    let image: URL
    /// The thumbnail file; nil before it is created, or if no tool to create it is installed.
    let thumbnail: URL?

    /// The thumbnail for the list of added photos, read from its file.
    var listedThumbnail: ListedPhoto.Thumbnail? {
        thumbnail.flatMap(ListedPhoto.Thumbnail.init(file:))
    }
}
