/// Widens an edit so that it never begins or ends within a character of the text as it is before or after the
/// edit.
///
/// It looks at some scalars on both sides; longer characters, which no language writes, may be cut.
struct CharacterEdges: Equatable {
    /// How many scalars on each side are looked at.
    static let reach = 32

    /// How far the start and the end of the replaced range move.
    private(set) var lower = 0
    private(set) var upper = 0
    /// The text to insert, with what it joins.
    private(set) var text: [Unicode.Scalar]

    /// - Parameters:
    ///   - before: the scalars before the range.
    ///   - head: the scalars from the start of the range on, also those behind a short range.
    ///   - tail: the scalars up to the end of the range, also those before a short range.
    ///   - after: the scalars behind the range.
    ///   - isInsertion: whether the range is empty.
    init(
        before: [Unicode.Scalar], head: [Unicode.Scalar], tail: [Unicode.Scalar], after: [Unicode.Scalar],
        new: [Unicode.Scalar], isInsertion: Bool
    ) {
        text = new
        let ends = [before.last, head.first, tail.last, after.first, new.first, new.last]
        if ends.allSatisfy(Self.isSimple) { return }
        if isInsertion {
            lower = Self.end(of: before + after, around: before.count) - before.count
            upper = lower
            joinNeighbours(before + after.prefix(lower), Array(after.dropFirst(upper)))
        } else {
            let start = Self.start(of: before + head, around: before.count)
            lower = start - before.count
            upper = Self.end(of: tail + after, around: tail.count) - tail.count
            joinNeighbours(Array(before.prefix(start)), Array(after.dropFirst(upper)))
        }
    }

    /// Takes into the new text the characters beside it with which it would become one.
    private mutating func joinNeighbours(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) {
        guard !text.isEmpty else { return }
        let all = left + text + right
        let start = Self.start(of: all, around: left.count)
        let edge = left.count + text.count
        let end = Self.end(of: all, around: edge)
        text = left[start...] + text + right.prefix(end - edge)
        lower -= left.count - start
        upper += end - edge
    }

    /// Whether a scalar joins no other: it lies before the combining marks, and belongs to no line end, which
    /// may have two scalars. Nil is simple.
    private static func isSimple(_ scalar: Unicode.Scalar?) -> Bool {
        guard let scalar else { return true }
        return scalar.value < 0x300 && scalar != "\n" && scalar != "\r"
    }

    /// The start of the character that contains a place in its middle; the place itself between characters.
    private static func start(of scalars: [Unicode.Scalar], around place: Int) -> Int {
        edges(of: scalars).last { $0 <= place } ?? 0
    }

    /// The end of the character that contains a place in its middle; the place itself between characters.
    private static func end(of scalars: [Unicode.Scalar], around place: Int) -> Int {
        edges(of: scalars).first { $0 >= place } ?? scalars.count
    }

    /// Where characters begin and end.
    private static func edges(of scalars: [Unicode.Scalar]) -> [Int] {
        var edges = [0]
        for character in String(String.UnicodeScalarView(scalars)) {
            edges.append(edges[edges.count - 1] + character.unicodeScalars.count)
        }
        return edges
    }
}
