import Foundation

/// An invalid setting: its place, the reason and the next step.
public struct ConfigurationError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The file with the line number, or the environment variable.
    public let place: String
    /// The reason why the setting is invalid.
    public let reason: String
    /// The next step to take.
    public let nextStep: String

    /// The complete error in one sentence.
    public var description: String { "\(place): \(reason); \(nextStep)" }
}
