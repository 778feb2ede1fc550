/// Widens an edit so that it begins and ends between characters, both of the text before the edit and of the
/// text after it.
///
/// It examines `reach` scalars on both sides. Longer characters, which no language uses, may be split.
struct CharacterEdges: Equatable {
    /// The number of scalars that are examined on each side.
    static let reach = 32

    /// The number of scalars by which the start of the replaced range moves; `upper` is the number for its
    /// end. Negative values move towards the start of the text.
    private(set) var lower = 0
    private(set) var upper = 0
    /// The text to insert, including neighbouring scalars that form a character with it.
    private(set) var text: [Unicode.Scalar]

    /// - Parameters:
    ///   - before: The scalars before the range.
    ///   - head: The scalars from the start of the range on; they extend past the end of a short range.
    ///   - tail: The scalars up to the end of the range; they begin before the start of a short range.
    ///   - after: The scalars after the range.
    ///   - new: The text to insert.
    ///   - isInsertion: Whether the range is empty.
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

    /// Extends the new text by the scalars beside it that would form a character with it.
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

    /// Whether a scalar is below U+0300, where combining marks begin, and not part of a line end, which may
    /// have two scalars. Two such scalars never form one character. True for nil.
    private static func isSimple(_ scalar: Unicode.Scalar?) -> Bool {
        guard let scalar else { return true }
        return scalar.value < 0x300 && scalar != "\n" && scalar != "\r"
    }

    /// The start of the character around an offset; the offset itself if it is between characters.
    private static func start(of scalars: [Unicode.Scalar], around place: Int) -> Int {
        edges(of: scalars).last { $0 <= place } ?? 0
    }

    /// The end of the character around an offset; the offset itself if it is between characters.
    private static func end(of scalars: [Unicode.Scalar], around place: Int) -> Int {
        edges(of: scalars).first { $0 >= place } ?? scalars.count
    }

    /// The boundaries between characters, as offsets in scalars.
    private static func edges(of scalars: [Unicode.Scalar]) -> [Int] {
        var edges = [0]
        for character in String(String.UnicodeScalarView(scalars)) {
            edges.append(edges[edges.count - 1] + character.unicodeScalars.count)
        }
        return edges
    }
}
