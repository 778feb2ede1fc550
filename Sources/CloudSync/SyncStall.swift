/// Answers of the server that lead nowhere, however often a sync follows them.
///
/// A sync that meets them waits, longer each time, before it asks again, and says so in its status.
public enum SyncStall: Error, Equatable, Sendable, CustomStringConvertible {
    /// A feed said that more comes, under the token that it was asked with; nil: the feed of the database.
    case feedStandsStill(zone: String?)
    /// The tokens of a feed expired again and again before it was read to its end; nil: the feed of the
    /// database.
    case tokenExpires(zone: String?)
    /// So many steps in a row changed nothing: the last of them, and the last error, in words.
    case noProgress(step: String, rounds: Int, error: String?)

    /// What happened, in words.
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
