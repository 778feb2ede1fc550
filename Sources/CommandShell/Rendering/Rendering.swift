import Foundation

/// What to print: `data` on standard output, `talk` on standard error, each already ending in a newline or
/// empty.
public struct Rendering: Equatable, Sendable {
    /// What goes to standard output.
    public var data = ""
    /// What goes to standard error.
    public var talk = ""

    /// What to print; nothing if nothing is given.
    public init(data: String = "", talk: String = "") {
        self.data = data
        self.talk = talk
    }
}
