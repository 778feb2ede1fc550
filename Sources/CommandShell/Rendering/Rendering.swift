import Foundation

/// Text to print. Each part is empty or ends with a newline.
public struct Rendering: Equatable, Sendable {
    /// The text for standard output.
    public var data = ""
    /// The text for standard error.
    public var messages = ""

    /// Creates a rendering.
    public init(data: String = "", messages: String = "") {
        self.data = data
        self.messages = messages
    }
}
