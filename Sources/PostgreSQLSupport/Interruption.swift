/// Decides whether the statements of a connection go on.
package protocol Interruption: Sendable {
    /// The milliseconds between two checks while a statement runs. The server ignores a request to cancel
    /// that arrives before the statement, so it is repeated at this interval.
    var interval: Int32 { get }

    /// Throws the reason for which the running statement is cancelled, and later ones are refused.
    func check() throws
}
