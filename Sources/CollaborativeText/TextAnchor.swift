/// A place in a text that keeps its position relative to a scalar while the text changes, for example a
/// cursor.
///
/// If the scalar is deleted, the anchor stays at the place where the scalar was. Anchors can be sent to other
/// devices.
public enum TextAnchor: Hashable, Sendable, Codable {
    /// The start of the text.
    case start
    /// After a scalar. Text that is typed at the anchor comes after it.
    case after(ScalarID)
    /// Before a scalar. Text that is typed at the anchor comes before it.
    case before(ScalarID)
    /// The end of the text.
    case end
}

extension CollaborativeText {
    /// The side of a position whose scalar an anchor follows.
    public enum Side: Hashable, Sendable {
        /// The scalar before the position, or the start of the text.
        case left
        /// The scalar after the position, or the end of the text.
        case right
    }

    /// An anchor at a position.
    ///
    /// Throws ``TextError/position(_:count:)`` if the position is outside the text.
    public func anchor(at position: Int, keepingTo side: Side = .left) throws -> TextAnchor {
        guard 0...count ~= position else { throw TextError.position(position..<position, count: count) }
        switch side {
        case .left: return position == 0 ? .start : .after(tree.id(of: pieces.element(at: position - 1)))
        case .right: return position == count ? .end : .before(tree.id(of: pieces.element(at: position)))
        }
    }

    /// The current position of an anchor.
    ///
    /// Throws ``TextError/unknown(_:)`` if the contribution that contains the anchor's scalar has not been
    /// applied.
    public func position(of anchor: TextAnchor) throws -> Int {
        switch anchor {
        case .start: return 0
        case .end: return count
        case .after(let id):
            let place = try place(of: id)
            return place.isVisible ? place.position + 1 : place.position
        case .before(let id): return try place(of: id).position
        }
    }

    private func place(of id: ScalarID) throws -> (position: Int, isVisible: Bool) {
        guard let element = tree.element(id) else { throw TextError.unknown(id) }
        return pieces.position(of: element)
    }
}
