import Foundation

/// The output channels for data (answers) and messages (notes and errors). Writing data throws if it
/// fails; writing a message does not.
public struct OutputChannels: Sendable {
    /// Writes data; in a process, to standard output.
    public let data: @Sendable (String) throws -> Void
    /// Writes a message; in a process, to standard error.
    public let message: @Sendable (String) -> Void

    /// Creates channels that write by these closures.
    public init(
        data: @escaping @Sendable (String) throws -> Void, message: @escaping @Sendable (String) -> Void
    ) {
        self.data = data
        self.message = message
    }

    /// Standard output and standard error of this process.
    public static let process = OutputChannels(
        data: { try StandardOutput.write($0) },
        message: { StandardError.write($0) }
    )

    /// Channels that write data to the channel of messages too.
    public var messagesOnly: OutputChannels {
        OutputChannels(data: { [message] in message($0) }, message: message)
    }

    /// Writes a message, with control codes made visible, because names and paths may contain them.
    public func say(_ text: String) { message(VisibleText.escaped(text)) }

    /// Writes the data and the messages of a rendering.
    public func write(_ rendering: Rendering) throws {
        if !rendering.data.isEmpty { try data(rendering.data) }
        if !rendering.messages.isEmpty { message(rendering.messages) }
    }
}
