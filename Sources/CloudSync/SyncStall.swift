/// Answers of the server with which a sync makes no progress, however often it repeats its requests.
///
/// The sync then waits, longer each time, before it asks again, and its status contains this value.
public enum SyncStall: Error, Equatable, Sendable, CustomStringConvertible {
    /// The server announced more changes, but returned the token of the request; `zone` is nil for the
    /// changes of the database.
    case feedStandsStill(zone: String?)
    /// The tokens of a feed expired repeatedly before it was read to its end; `zone` is nil for the changes
    /// of the database.
    case tokenExpires(zone: String?)
    /// `rounds` steps in a row changed nothing; with the last step and the last error, as text.
    case noProgress(step: String, rounds: Int, error: String?)

    /// The description of the stall.
    public var description: String {
        switch self {
        case .feedStandsStill(let zone):
            "the server says that more changes of \(Self.name(zone)) are coming, and sends none"
        case .tokenExpires(let zone):
            "the server refused the change tokens of \(Self.name(zone)) that it had just given"
        case .noProgress(let step, let rounds, let error):
            "\(rounds) requests in a row led to nothing; the last one was for \(step)"
                + (error.map { ": \($0)" } ?? "")
        }
    }

    private static func name(_ zone: String?) -> String { zone.map { "the zone \($0)" } ?? "the database" }
}
