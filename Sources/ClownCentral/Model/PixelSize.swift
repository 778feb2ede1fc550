import Foundation

/// The width and height of a picture in pixels.
struct PixelSize: Hashable, Sendable {
    var width: Int
    var height: Int

    /// The same picture after a quarter turn.
    var turned: PixelSize {
        PixelSize(width: height, height: width)
    }
}
