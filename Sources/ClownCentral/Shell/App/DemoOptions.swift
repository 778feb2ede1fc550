// Owns what can be asked of the walkthrough on the command line.
public import Foundation

/// Which scenes to play, and how.
public struct DemoOptions: Sendable {
    /// Numbers or names of scenes; all if none.
    public var scenes: [String] = []
    /// The folder of scenes, if it is not where it usually is.
    public var folder: URL?
    /// Whether to wait for Return before each command.
    public var isStepwise: Bool = false
    /// Whether to colour: `auto`, `always` or `never`.
    public var color: String = "auto"

    /// The options of a walkthrough that plays all scenes without waiting.
    public init() {}
}
