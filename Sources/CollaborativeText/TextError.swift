/// The reason why an edit, a contribution or a snapshot was refused. The text is unchanged then, except by
/// the contributions before the refused one in a sequence, and by the first edits of
/// ``CollaborativeText/change(to:)``.
public enum TextError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name of a site is empty, too long or has characters that are not allowed.
    case site(String)
    /// A position or range is outside the text.
    case position(Range<Int>, count: Int)
    /// A scalar is unknown: it belongs to another text, or its contribution has not been applied yet.
    case unknown(ScalarID)
    /// A contribution is empty.
    case empty(ScalarID)
    /// A number is negative or greater than the limit.
    case number(ScalarID)
    /// A contribution has more items of one kind than the limit allows.
    case tooMuch(ScalarID, what: String, limit: Int)
    /// A contribution refers to itself or to a later contribution of its site.
    case ownFuture(ScalarID, refersTo: ScalarID)
    /// Contributions wait for each other, so none of them can ever be applied.
    case cycle(ScalarID, waitsFor: ScalarID)
    /// A contribution with the same identity and other content is already known.
    case different(ScalarID)
    /// A contribution refers to a number that its site used for a deletion.
    case noScalar(ScalarID, refersTo: ScalarID)
    /// The text has reached a limit.
    case full(what: String, limit: Int)
    /// The bytes are not a valid batch of contributions or snapshot.
    case unreadable(what: String, byte: Int)
    /// A later version of this library wrote the bytes.
    case version(Int)

    /// The culprit, the reason and the next step.
    public var description: String {
        switch self {
        case .site(let name):
            "the site name \"\(name)\" is not allowed; use 1 to \(TextLimits.siteBytes) letters, digits, "
                + "\"-\", \"_\", \".\" or \":\""
        case .position(let range, let count):
            "the range \(range.lowerBound)..<\(range.upperBound) is outside the text of \(count) scalars; "
                + "read the text again"
        case .unknown(let id): "the scalar \(id) is not in this text; apply the missing contributions first"
        case .empty(let id): "the contribution \(id) is empty; do not store it"
        case .number(let id):
            "the number of \(id) is not in 0..<\(TextLimits.numbersPerSite); "
                + "its device sent wrong contributions: ignore all of that site"
        case .tooMuch(let id, let what, let limit):
            "the contribution \(id) has more than \(limit) \(what); split it"
        case .ownFuture(let id, let other):
            "the contribution \(id) refers to \(other), which is not before it; "
                + "its device sent wrong contributions: ignore all of that site"
        case .cycle(let id, let other):
            "the contributions \(id) and \(other) wait for each other; "
                + "their devices sent wrong contributions: ignore all of these sites"
        case .different(let id):
            "the contribution \(id) is known with other content; "
                + "give each installation its own site name"
        case .noScalar(let id, let other):
            "the contribution \(id) refers to \(other), which is not a scalar; "
                + "its device sent wrong contributions: ignore all of that site"
        case .full(let what, let limit):
            "the text has reached its limit of \(limit) \(what); begin a new text"
        case .unreadable(let what, let byte): "the \(what) is damaged at byte \(byte); fetch it again"
        case .version(let version):
            "the bytes have version \(version), which this version of the library cannot read; "
                + "update the app"
        }
    }
}
