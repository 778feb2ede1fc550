import Foundation

/// The output channels for data (answers) and talk (notes and errors). Writing data throws if it fails;
/// writing talk does not.
public struct OutputChannels: Sendable {
    /// Writes data; in a process, to standard output.
    public let data: @Sendable (String) throws -> Void
    /// Writes talk; in a process, to standard error.
    public let talk: @Sendable (String) -> Void

    /// Creates channels that write by these closures.
    public init(
        data: @escaping @Sendable (String) throws -> Void, talk: @escaping @Sendable (String) -> Void
    ) {
        self.data = data
        self.talk = talk
    }

    /// Standard output and standard error of this process.
    public static let process = OutputChannels(
        data: { try StandardOutput.write($0) },
        talk: { StandardError.write($0) }
    )

    /// Channels that write data to the talk channel too.
    public var talkOnly: OutputChannels {
        OutputChannels(data: { [talk] in talk($0) }, talk: talk)
    }

    /// Writes talk, with control codes made visible, because names and paths may contain them.
    public func say(_ text: String) { talk(VisibleText.escaped(text)) }

    /// Writes the data and the talk of a rendering.
    public func write(_ rendering: Rendering) throws {
        if !rendering.data.isEmpty { try data(rendering.data) }
        if !rendering.talk.isEmpty { talk(rendering.talk) }
    }
}
