/// What an acknowledged write has survived.
package enum Durability: Sendable {
    /// The loss of power: every commit is flushed to disk.
    case full
    /// The end of the process.
    case process
    /// Nothing; for data that is thrown away.
    case none
}
