import Foundation

/// The width and height of a picture in pixels.
struct PixelSize: Hashable, Sendable {
    var width: Int
    var height: Int

    /// The size after a rotation by 90 degrees, with width and height exchanged.
    var turned: PixelSize {
        PixelSize(width: height, height: width)
    }
}
