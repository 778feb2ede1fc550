/// A text that several people edit at the same time, on devices that may be offline.
///
/// Each device has a ``TextSite`` and edits its own copy without a lock or a server. Its insertions and
/// deletions become ``TextContribution`` values, which the app stores and sends. All copies that have applied
/// the same contributions have the same text, whatever their order, also if some arrived repeatedly. Text is
/// removed only by deletions, and the text that one person types at one place stays together.
///
///     var text = CollaborativeText(site: try TextSite("phone"))
///     try text.insert("Dear clowns", at: 0)
///     for contribution in text.takeContributions() { store(contribution) }
///     for contribution in arrived { try text.apply(contribution) }
///
/// ## Positions
///
/// Positions count Unicode scalars: they are offsets in `text.unicodeScalars`. Scalars are the same on every
/// device. The boundaries of a `Character` depend on the version of Unicode, so two devices might count the
/// characters of a contribution differently. Characters still stay whole, because every edit is widened to
/// whole characters: see ``insert(_:at:)`` and ``delete(_:)``.
///
/// ## Cost
///
/// Memory is linear in the typed text: 4 bytes for each scalar, some hundred for each typed run, and about 50
/// for each deleted stretch. The time for an edit or a contribution hardly depends on the length of the text:
/// only a small part grows with the number of runs. ``compact()`` frees the memory of deleted scalars.
public struct CollaborativeText: Sendable {
    /// The site of this copy.
    public internal(set) var site: TextSite
    var tree = TextTree()
    var pieces = PieceList()
    /// The scalars of all visible pieces, and of pieces that were deleted since the last call of `compact`.
    var scalars: [Unicode.Scalar] = []
    /// The contributions of this site that `takeContributions` has not returned yet.
    var ownContributions: [TextContribution] = []
    /// The number of these contributions that must not be extended, because a snapshot includes them.
    var finished = 0
    /// The first scalar of the last insertion on this device.
    var lastTyped: Element?
    var waiting = WaitingContributions()

    /// Creates an empty text.
    public init(site: TextSite) {
        self.site = site
    }

    /// The number of Unicode scalars in the text.
    public var count: Int { pieces.count }

    /// The whole text. Building it takes time linear in its length.
    public var text: String {
        var view = String.UnicodeScalarView()
        pieces.forEach { piece in
            guard piece.isVisible else { return }
            let start = Int(piece.start)
            view.append(contentsOf: scalars[start..<start + Int(piece.count)])
        }
        return String(view)
    }

    /// The part of the text in a range. Positions outside the text are ignored.
    public func text(in range: Range<Int>) -> String {
        String(String.UnicodeScalarView(scalars(in: range)))
    }

    /// Whether contributions with all numbers of this one were applied. Their content is not compared.
    public func includes(_ contribution: TextContribution) -> Bool {
        tree.next(of: contribution.id.site) >= contribution.id.number + contribution.size
    }

    /// The scalars in a range. Positions outside the text are ignored.
    func scalars(in range: Range<Int>) -> [Unicode.Scalar] {
        let range = range.clamped(to: 0..<count)
        var found: [Unicode.Scalar] = []
        guard !range.isEmpty else { return found }
        pieces.forEachVisible(from: range.lowerBound) { piece in
            let start = Int(piece.start)
            found += scalars[start..<start + min(Int(piece.count), range.count - found.count)]
            return found.count < range.count
        }
        return found
    }

    /// Frees the values of deleted scalars.
    ///
    /// Their identities stay, which takes about 50 bytes for each deleted stretch, because a device that has
    /// not received the deletion may still type beside them. So this can be called at any time.
    public mutating func compact() {
        var kept: [Unicode.Scalar] = []
        kept.reserveCapacity(count)
        pieces.forEach { piece in
            guard piece.isVisible else { return }
            kept += scalars[Int(piece.start)..<Int(piece.start + piece.count)]
        }
        scalars = kept
        pieces.renumberStorage()
    }
}
