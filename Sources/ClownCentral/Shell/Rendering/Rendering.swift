// Owns the two texts that a result becomes: data for the one channel, talk for the other.
import Foundation

/// What to print: `data` on standard output, `talk` on standard error, each already ending in a newline or
/// empty.
struct Rendering: Equatable, Sendable {
    var data = ""
    var talk = ""
}
