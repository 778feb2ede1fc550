import Foundation

/// A photo with the files that go with it.
struct PhotoUpload: Sendable {
    let photo: Photo
    let image: URL
    /// The small picture; nothing when there is no tool to make one.
    let thumbnail: URL?

    /// The thumbnail as a list shows it, read from the file that was made.
    var smallPicture: ListedPhoto.Thumbnail? {
        thumbnail.flatMap(ListedPhoto.Thumbnail.init(file:))
    }
}
