import Foundation

/// Where data and talk go; writing data fails when it cannot arrive.
public struct Outlet: Sendable {
    /// Standard output in a process.
    public let data: @Sendable (String) throws -> Void
    /// Standard error in a process.
    public let talk: @Sendable (String) -> Void

    /// Two channels.
    public init(
        data: @escaping @Sendable (String) throws -> Void, talk: @escaping @Sendable (String) -> Void
    ) {
        self.data = data
        self.talk = talk
    }

    /// The channels of this process.
    public static let process = Outlet(
        data: { try StandardOutput.write($0) },
        talk: { StandardError.write($0) }
    )

    /// The same with all on the channel of talk, for what only accompanies the data.
    public var talkOnly: Outlet {
        Outlet(data: { [talk] in talk($0) }, talk: talk)
    }

    /// Says something about names or paths, in which control codes are written out.
    public func say(_ text: String) { talk(VisibleText.escaped(text)) }

    /// Writes data and talk, each where it goes.
    public func write(_ rendering: Rendering) throws {
        if !rendering.data.isEmpty { try data(rendering.data) }
        if !rendering.talk.isEmpty { talk(rendering.talk) }
    }
}
