import Foundation

/// A setting that makes no sense: where it stands, why, and what to do.
public struct ConfigurationError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The file, with the number of the line, or the variable of the environment.
    public let place: String
    /// What is wrong there.
    public let reason: String
    /// The next step to take.
    public let nextStep: String

    /// One sentence for people.
    public var description: String { "\(place): \(reason); \(nextStep)" }
}
