/// An edit of one site: a typed run or a deletion. It never changes. The app stores and sends it, for example
/// as a record.
///
/// Contributions may arrive in any order and repeatedly: see ``CollaborativeText/apply(_:)``.
public struct TextContribution: Hashable, Sendable, Identifiable {
    /// The position where a run was typed: the parent of its first scalar in the tree of runs.
    public enum Position: Hashable, Sendable {
        /// At the start of the text.
        case start
        /// After a scalar that had no right child.
        case after(ScalarID)
        /// Before a scalar, as its left child.
        case before(ScalarID)
    }

    /// The kinds of contributions.
    public enum Content: Hashable, Sendable {
        /// Text that was typed without an interruption. Its scalars have consecutive numbers, starting with
        /// that of the contribution.
        case run(String, Position)
        /// Scalars that were deleted. A deletion uses one number.
        case deletion([ScalarRange])
    }

    /// The site, and the first number that the contribution uses. A site uses its numbers without gaps.
    public let id: ScalarID
    /// The run or the deletion.
    public internal(set) var content: Content

    /// Throws ``TextError`` if the content is empty, exceeds ``TextLimits``, or refers to this or a later
    /// contribution of its site.
    public init(id: ScalarID, content: Content) throws {
        self.id = id
        self.content = content
        try check()
    }

    init(unchecked id: ScalarID, _ content: Content) {
        self.id = id
        self.content = content
    }

    /// The count of numbers that the contribution uses.
    var size: Int {
        switch content {
        case .run(let text, _): text.unicodeScalars.count
        case .deletion: 1
        }
    }

    /// The scalars to which the contribution refers. It can be applied when they are all known.
    var causes: [ScalarRange] {
        switch content {
        case .run(_, .start): []
        case .run(_, .after(let id)), .run(_, .before(let id)): [ScalarRange(first: id, count: 1)]
        case .deletion(let ranges): ranges
        }
    }

    private func check() throws {
        try Self.check(id, count: 1)
        switch content {
        case .run(let text, _):
            let count = text.unicodeScalars.count
            guard count > 0 else { throw TextError.empty(id) }
            guard count <= TextLimits.scalarsPerRun else {
                throw TextError.tooMuch(id, what: "scalars", limit: TextLimits.scalarsPerRun)
            }
            try Self.check(id, count: count)
        case .deletion(let ranges):
            guard !ranges.isEmpty else { throw TextError.empty(id) }
            guard ranges.count <= TextLimits.rangesPerDeletion else {
                throw TextError.tooMuch(id, what: "ranges", limit: TextLimits.rangesPerDeletion)
            }
        }
        for cause in causes {
            try Self.check(cause.first, count: cause.count)
            guard cause.first.site != id.site || cause.first.number + cause.count <= id.number else {
                throw TextError.ownFuture(id, refersTo: cause.first)
            }
        }
    }

    /// Checks that the numbers are in the allowed range, so that calculations with them cannot overflow.
    private static func check(_ id: ScalarID, count: Int) throws {
        guard 0..<TextLimits.numbersPerSite ~= id.number else { throw TextError.number(id) }
        guard count > 0 else { throw TextError.empty(id) }
        guard count <= TextLimits.numbersPerSite - id.number else { throw TextError.number(id) }
    }
}
