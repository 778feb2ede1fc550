public import Foundation

/// Which scenes to play, and how.
public struct DemoOptions: Sendable {
    /// Numbers or names of scenes; all if none.
    public var scenes: [String] = []
    /// The folder of scenes, if it is not where it usually is.
    public var folder: URL?
    /// Whether to wait before each command: Return plays it, and commands of one's own can be tried.
    public var isStepwise: Bool = false
    /// The moment at which every scene begins, as it would be typed; relative to the machine's time.
    public var now: String = "2026-07-04T18:00"
    /// What identifiers come from: the same seed makes the same ones.
    public var seed: UInt64 = 1
    /// Whether to list the scenes, and what is to come, in place of playing them.
    public var isList: Bool = false
    /// Whether to answer with one JSON document; the play itself is talk then.
    public var isJSON: Bool = false
    /// Whether to colour: `auto`, `always` or `never`.
    public var color: String = "auto"

    /// The options of a walkthrough that plays all scenes without waiting.
    public init() {}
}
