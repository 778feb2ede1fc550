// Owns the two channels that a shell writes to.
import CommandText
import Foundation

/// Where data and talk go; writing data fails when it cannot arrive.
struct Outlet: Sendable {
    /// Standard output in a process.
    let data: @Sendable (String) throws -> Void
    /// Standard error in a process.
    let talk: @Sendable (String) -> Void

    /// The channels of this process.
    static let process = Outlet(
        data: { try StandardOutput.write($0) },
        talk: { StandardError.write($0) }
    )

    /// The same with all on the channel of talk, for what only accompanies the data.
    var talkOnly: Outlet {
        Outlet(data: { [talk] in talk($0) }, talk: talk)
    }

    /// Says something about names or paths, in which control codes are written out.
    func say(_ text: String) { talk(VisibleText.escaped(text)) }

    func write(_ rendering: Rendering) throws {
        if !rendering.data.isEmpty { try data(rendering.data) }
        if !rendering.talk.isEmpty { talk(rendering.talk) }
    }
}
