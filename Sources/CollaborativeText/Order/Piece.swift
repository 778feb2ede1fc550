/// A stretch of consecutive scalars of one run that are neighbours in the text, and all visible or all
/// deleted.
struct Piece: Sendable {
    /// The index of the run.
    var run: Int32
    /// The first scalar, counted from the start of the run.
    var offset: Int32
    var count: Int32
    /// Where the scalars are stored; -1 if they are deleted.
    var start: Int32

    var isVisible: Bool { start >= 0 }
    var visible: Int { start >= 0 ? Int(count) : 0 }

    /// Whether `next` continues this piece, so that one piece can replace both.
    func joins(_ next: Piece) -> Bool {
        run == next.run && offset + count == next.offset
            && (isVisible ? start + count == next.start : !next.isVisible)
    }
}

/// One scalar: a run, and the place in the run.
struct Element: Hashable, Sendable {
    var run: Int32
    var offset: Int32

    /// The invisible scalar that stands before every text.
    static let start = Element(run: 0, offset: 0)
}
