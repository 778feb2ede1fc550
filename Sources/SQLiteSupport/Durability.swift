/// The failures that an acknowledged write survives.
package enum Durability: Sendable {
    /// A power failure: every commit is flushed to disk.
    case full
    /// The end of the process.
    case process
    /// None; for temporary data.
    case none
}
