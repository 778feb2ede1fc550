/// The pieces of a text in order, including deleted ones.
///
/// The pieces are stored in leaves of bounded size. `order` lists the leaves in the order of the text, and
/// `visible` the number of visible scalars in each. `fragments` lists for each run which leaf contains which
/// piece, so that a scalar can be found by its identity.
struct PieceList: Sendable {
    /// The location of a piece, or of an insertion before it.
    struct Spot: Sendable {
        var leaf: Int
        var index: Int
    }

    private struct Leaf: Sendable {
        var pieces: [Piece]
        /// The index of the leaf in `order`.
        var place: Int
    }

    private struct Fragment: Sendable {
        var offset: Int32
        var leaf: Int32
    }

    private static let piecesPerLeaf = 128

    private var leaves: [Leaf]
    private var order: [Int32] = [0]
    private var visible: [Int32] = [0]
    private var fragments: [[Fragment]]
    /// The number of visible scalars.
    private(set) var count = 0

    /// Creates the list of an empty text: it contains only the invisible start.
    init() {
        leaves = [Leaf(pieces: [Piece(run: 0, offset: 0, count: 1, start: -1)], place: 0)]
        fragments = [[Fragment(offset: 0, leaf: 0)]]
    }

    // MARK: Reading

    func piece(at spot: Spot) -> Piece { leaves[spot.leaf].pieces[spot.index] }

    /// The location of the piece that contains a scalar.
    func spot(of element: Element) -> Spot {
        let fragment = fragments[Int(element.run)][fragmentIndex(of: element)]
        let leaf = Int(fragment.leaf)
        let index = leaves[leaf].pieces.firstIndex { $0.run == element.run && $0.offset == fragment.offset }
        return Spot(leaf: leaf, index: index ?? 0)
    }

    /// The visible scalar at a position, which must be less than `count`.
    func element(at position: Int) -> Element {
        var (rest, place) = (position, 0)
        while rest >= Int(visible[place]) {
            rest -= Int(visible[place])
            place += 1
        }
        for piece in leaves[Int(order[place])].pieces where piece.isVisible {
            if rest < Int(piece.count) { return Element(run: piece.run, offset: piece.offset + Int32(rest)) }
            rest -= Int(piece.count)
        }
        return .start
    }

    /// The number of visible scalars before a scalar, and whether the scalar itself is visible.
    func position(of element: Element) -> (position: Int, isVisible: Bool) {
        let spot = spot(of: element)
        var position = 0
        for place in 0..<leaves[spot.leaf].place { position += Int(visible[place]) }
        let pieces = leaves[spot.leaf].pieces
        for index in 0..<spot.index { position += pieces[index].visible }
        let piece = pieces[spot.index]
        guard piece.isVisible else { return (position, false) }
        return (position + Int(element.offset - piece.offset), true)
    }

    /// The next scalar in the text, visible or deleted; nil at the end.
    func next(after element: Element) -> Element? {
        let spot = spot(of: element)
        let piece = piece(at: spot)
        if element.offset + 1 < piece.offset + piece.count {
            return Element(run: element.run, offset: element.offset + 1)
        }
        var (index, place) = (spot.index + 1, leaves[spot.leaf].place)
        while place < order.count {
            let pieces = leaves[Int(order[place])].pieces
            if index < pieces.count { return Element(run: pieces[index].run, offset: pieces[index].offset) }
            (index, place) = (0, place + 1)
        }
        return nil
    }

    /// Calls `body` with every piece in the order of the text.
    func forEach(_ body: (Piece) throws -> Void) rethrows {
        for leaf in order { for piece in leaves[Int(leaf)].pieces { try body(piece) } }
    }

    /// Calls `body` with the visible pieces from a position on, until it returns false. The first piece is
    /// cut so that it begins at the position.
    func forEachVisible(from position: Int, _ body: (Piece) -> Bool) {
        var (rest, place) = (position, 0)
        while place < order.count, rest >= Int(visible[place]) {
            rest -= Int(visible[place])
            place += 1
        }
        while place < order.count {
            for piece in leaves[Int(order[place])].pieces where piece.isVisible {
                guard rest < Int(piece.count) else {
                    rest -= Int(piece.count)
                    continue
                }
                var cut = piece
                cut.offset += Int32(rest)
                cut.start += Int32(rest)
                cut.count -= Int32(rest)
                rest = 0
                if !body(cut) { return }
            }
            place += 1
        }
    }

    /// The pieces of a run in the order of the run.
    func pieces(ofRun run: Int) -> [Piece] {
        fragments[run].map { piece(at: spot(of: Element(run: Int32(run), offset: $0.offset))) }
    }

    // MARK: Changing

    /// Inserts a piece after a scalar.
    mutating func insert(_ piece: Piece, after element: Element) {
        let spot = spot(of: element)
        let cut = element.offset + 1
        let old = self.piece(at: spot)
        if cut < old.offset + old.count {
            split(at: spot, cut)
        } else if old.joins(piece) {
            leaves[spot.leaf].pieces[spot.index].count += piece.count
            addVisible(piece.visible, to: spot.leaf)
            return
        }
        insert(piece, at: Spot(leaf: spot.leaf, index: spot.index + 1))
    }

    /// Inserts a piece before a scalar.
    mutating func insert(_ piece: Piece, before element: Element) {
        var spot = spot(of: element)
        if element.offset > self.piece(at: spot).offset {
            split(at: spot, element.offset)
            spot = self.spot(of: element)
        }
        insert(piece, at: spot)
    }

    /// Marks scalars of a run as deleted. Returns the number of those that were visible.
    mutating func delete(run: Int32, _ offsets: Range<Int32>) -> Int {
        var (offset, deleted) = (offsets.lowerBound, 0)
        while offset < offsets.upperBound {
            var spot = spot(of: Element(run: run, offset: offset))
            var piece = piece(at: spot)
            guard piece.isVisible else {
                offset = piece.offset + piece.count
                continue
            }
            if piece.offset < offset {
                split(at: spot, offset)
                spot = self.spot(of: Element(run: run, offset: offset))
                piece = self.piece(at: spot)
            }
            if offsets.upperBound < piece.offset + piece.count {
                split(at: spot, offsets.upperBound)
                spot = self.spot(of: Element(run: run, offset: offset))
                piece = self.piece(at: spot)
            }
            leaves[spot.leaf].pieces[spot.index].start = -1
            addVisible(-Int(piece.count), to: spot.leaf)
            deleted += Int(piece.count)
            offset = piece.offset + piece.count
            joinNeighbours(of: spot)
        }
        return deleted
    }

    /// Renumbers the storage indexes of all visible pieces in the order of the text.
    mutating func renumberStorage() {
        var start: Int32 = 0
        for leaf in order {
            for index in leaves[Int(leaf)].pieces.indices where leaves[Int(leaf)].pieces[index].isVisible {
                leaves[Int(leaf)].pieces[index].start = start
                start += leaves[Int(leaf)].pieces[index].count
            }
        }
    }

    private mutating func insert(_ piece: Piece, at spot: Spot) {
        leaves[spot.leaf].pieces.insert(piece, at: spot.index)
        addVisible(piece.visible, to: spot.leaf)
        addFragment(of: piece, leaf: spot.leaf)
        splitIfFull(spot.leaf)
    }

    /// Splits a piece in two. The second one begins at `offset` in the run.
    private mutating func split(at spot: Spot, _ offset: Int32) {
        var second = piece(at: spot)
        let length = offset - second.offset
        leaves[spot.leaf].pieces[spot.index].count = length
        second.offset = offset
        second.count -= length
        if second.isVisible { second.start += length }
        leaves[spot.leaf].pieces.insert(second, at: spot.index + 1)
        addFragment(of: second, leaf: spot.leaf)
    }

    /// Merges a piece with adjacent pieces of its leaf that continue it.
    private mutating func joinNeighbours(of spot: Spot) {
        for first in [spot.index, spot.index - 1] where first >= 0 {
            guard first + 1 < leaves[spot.leaf].pieces.count else { continue }
            let next = leaves[spot.leaf].pieces[first + 1]
            guard leaves[spot.leaf].pieces[first].joins(next) else { continue }
            leaves[spot.leaf].pieces[first].count += next.count
            leaves[spot.leaf].pieces.remove(at: first + 1)
            let element = Element(run: next.run, offset: next.offset)
            fragments[Int(next.run)].remove(at: fragmentIndex(of: element))
        }
        splitIfFull(spot.leaf)
    }

    private mutating func splitIfFull(_ leaf: Int) {
        guard leaves[leaf].pieces.count > Self.piecesPerLeaf else { return }
        let half = leaves[leaf].pieces.count / 2
        let moved = Array(leaves[leaf].pieces[half...])
        leaves[leaf].pieces.removeSubrange(half...)
        let (new, place) = (leaves.count, leaves[leaf].place + 1)
        leaves.append(Leaf(pieces: moved, place: place))
        order.insert(Int32(new), at: place)
        visible.insert(0, at: place)
        for later in place..<order.count { leaves[Int(order[later])].place = later }
        let movedCount = moved.reduce(0) { $0 + $1.visible }
        visible[place] = Int32(movedCount)
        visible[place - 1] -= Int32(movedCount)
        for piece in moved {
            let index = fragmentIndex(of: Element(run: piece.run, offset: piece.offset))
            fragments[Int(piece.run)][index].leaf = Int32(new)
        }
    }

    private mutating func addVisible(_ number: Int, to leaf: Int) {
        visible[leaves[leaf].place] += Int32(number)
        count += number
    }

    // MARK: Fragments

    private mutating func addFragment(of piece: Piece, leaf: Int) {
        let fragment = Fragment(offset: piece.offset, leaf: Int32(leaf))
        while fragments.count <= Int(piece.run) { fragments.append([]) }
        let index = lowerBound(in: fragments[Int(piece.run)], above: piece.offset)
        fragments[Int(piece.run)].insert(fragment, at: index)
    }

    private func fragmentIndex(of element: Element) -> Int {
        lowerBound(in: fragments[Int(element.run)], above: element.offset) - 1
    }

    /// The number of fragments that begin at `offset` or before it.
    private func lowerBound(in fragments: [Fragment], above offset: Int32) -> Int {
        var (low, high) = (0, fragments.count)
        while low < high {
            let middle = (low + high) / 2
            if fragments[middle].offset <= offset { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
