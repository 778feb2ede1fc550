/// A place in a text that stays where it is while the text around it changes, for example a cursor.
///
/// An anchor stays at its scalar, and if that is deleted, where the scalar was. It may be sent to other
/// devices.
public enum TextAnchor: Hashable, Sendable, Codable {
    /// The start of the text.
    case start
    /// Behind a scalar. What is typed at the anchor comes behind it.
    case after(ScalarID)
    /// In front of a scalar. What is typed at the anchor comes in front of it.
    case before(ScalarID)
    /// The end of the text.
    case end
}

extension CollaborativeText {
    /// The side of a position to which an anchor keeps.
    public enum Side: Hashable, Sendable {
        /// The scalar before the position, or the start of the text.
        case left
        /// The scalar behind the position, or the end of the text.
        case right
    }

    /// An anchor at a position.
    ///
    /// Throws ``TextError/position(_:count:)`` if the position is outside of the text.
    public func anchor(at position: Int, keepingTo side: Side = .left) throws -> TextAnchor {
        guard 0...count ~= position else { throw TextError.position(position..<position, count: count) }
        switch side {
        case .left: return position == 0 ? .start : .after(tree.id(of: pieces.element(at: position - 1)))
        case .right: return position == count ? .end : .before(tree.id(of: pieces.element(at: position)))
        }
    }

    /// The present position of an anchor.
    ///
    /// Throws ``TextError/unknown(_:)`` if the contribution with the scalar of the anchor was not applied
    /// yet.
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
