/// Consecutive scalars of one run that are adjacent in the text, and all visible or all deleted.
struct Piece: Sendable {
    /// The index of the run.
    var run: Int32
    /// The offset of the first scalar in its run.
    var offset: Int32
    var count: Int32
    /// The index of the first scalar in `CollaborativeText.scalars`; -1 if the piece is deleted.
    var start: Int32

    var isVisible: Bool { start >= 0 }
    var visible: Int { start >= 0 ? Int(count) : 0 }

    /// Whether `next` continues this piece, so that one piece can replace both.
    func joins(_ next: Piece) -> Bool {
        run == next.run && offset + count == next.offset
            && (isVisible ? start + count == next.start : !next.isVisible)
    }
}

/// The location of one scalar: the index of its run, and its offset in the run.
struct Element: Hashable, Sendable {
    var run: Int32
    var offset: Int32

    /// The invisible scalar at the start of every text.
    static let start = Element(run: 0, offset: 0)
}
