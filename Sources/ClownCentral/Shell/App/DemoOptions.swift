// Owns what can be asked of the walkthrough on the command line.
public import Foundation

/// Which scenes to play, and how.
public struct DemoOptions: Sendable {
    /// Numbers or names of scenes; all if none.
    public var scenes: [String] = []
    /// The folder of scenes, if it is not where it usually is.
    public var folder: URL?
    /// Whether to wait before each command: Return plays it, and commands of one's own can be tried.
    public var isStepwise: Bool = false
    /// Whether to answer with one JSON document; the play itself is talk then.
    public var isJSON: Bool = false
    /// Whether to colour: `auto`, `always` or `never`.
    public var color: String = "auto"

    /// The options of a walkthrough that plays all scenes without waiting.
    public init() {}
}
