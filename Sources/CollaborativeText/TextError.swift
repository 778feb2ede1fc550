/// Why an edit, a contribution or a snapshot was refused. A refusal changes nothing.
public enum TextError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name of a site is empty, too long or has characters that are not allowed.
    case site(String)
    /// A position or range is outside of the text.
    case position(Range<Int>, count: Int)
    /// An anchor or a contribution of another text, or of a part of this text that is not here yet.
    case unknown(ScalarID)
    /// A contribution is empty.
    case empty(ScalarID)
    /// A number is negative or greater than the limit.
    case number(ScalarID)
    /// A contribution has more of something than the limit allows.
    case tooMuch(ScalarID, what: String, limit: Int)
    /// A contribution refers to itself or to a later one of its site.
    case ownFuture(ScalarID, refersTo: ScalarID)
    /// Contributions that wait for each other. None of them can ever be applied.
    case cycle(ScalarID, waitsFor: ScalarID)
    /// Another contribution with the same identity and other content was applied before.
    case different(ScalarID)
    /// A contribution refers to a number that its site used for a deletion.
    case noScalar(ScalarID, refersTo: ScalarID)
    /// The text has reached a limit, and takes no more.
    case full(what: String, limit: Int)
    /// Bytes that are no contributions or no snapshot.
    case unreadable(what: String, byte: Int)
    /// Bytes that a later version of this library has written.
    case version(Int)

    /// What happened to which thing, and what to do.
    public var description: String {
        switch self {
        case .site(let name):
            "the site name \"\(name)\" is not allowed; use 1 to \(TextLimits.siteBytes) letters, digits, "
                + "\"-\", \"_\", \".\" or \":\""
        case .position(let range, let count):
            "\(range.lowerBound)..<\(range.upperBound) is outside of the text, which has \(count) scalars; "
                + "read the text again"
        case .unknown(let id): "the scalar \(id) is not in this text; apply the missing contributions first"
        case .empty(let id): "the contribution \(id) is empty; do not store it"
        case .number(let id):
            "the number of \(id) is not from 0 to \(TextLimits.numbersPerSite); refuse what its site sends"
        case .tooMuch(let id, let what, let limit):
            "the contribution \(id) has more than \(limit) \(what); split it"
        case .ownFuture(let id, let other):
            "the contribution \(id) refers to \(other), which comes later; refuse what its site sends"
        case .cycle(let id, let other):
            "the contribution \(id) and \(other) wait for each other; refuse what their sites send"
        case .different(let id):
            "\(id) was applied before with other content; give each installation a site name of its own"
        case .noScalar(let id, let other):
            "the contribution \(id) refers to \(other), which is no scalar; refuse what its site sends"
        case .full(let what, let limit):
            "the text has the largest number of \(what), \(limit); begin a new text"
        case .unreadable(let what, let byte): "the \(what) is damaged at byte \(byte); fetch it again"
        case .version(let version):
            "the bytes have version \(version), which this version cannot read; update the app"
        }
    }
}
