import Foundation

/// Text to print. Each part is empty or ends with a newline.
public struct Rendering: Equatable, Sendable {
    /// The text for standard output.
    public var data = ""
    /// The text for standard error.
    public var talk = ""

    /// Creates a rendering.
    public init(data: String = "", talk: String = "") {
        self.data = data
        self.talk = talk
    }
}
