public import Foundation

/// The options of a walkthrough: which scenes to play, and how.
public struct DemoOptions: Sendable {
    /// The numbers or names of the scenes; empty plays all.
    public var scenes: [String] = []
    /// The folder of the scenes; nil uses the default folder.
    public var folder: URL?
    /// Whether to wait before each command. Return plays it, and the person can type other commands first.
    public var isStepwise: Bool = false
    /// The start time of each scene, in the form that is typed at the prompt. Relative times count from the
    /// machine's time.
    public var now: String = "2026-07-04T18:00"
    /// The seed of generated identifiers. The same seed gives the same identifiers.
    public var seed: UInt64 = 1
    /// Whether to list the scenes, including planned ones, instead of playing them.
    public var isList: Bool = false
    /// Whether to print one JSON document with the results. The output of the scenes is then printed on
    /// standard error.
    public var isJSON: Bool = false
    /// When to use colours: `auto`, `always` or `never`.
    public var color: String = "auto"

    /// Creates the options of a walkthrough that plays all scenes without waiting.
    public init() {}
}
