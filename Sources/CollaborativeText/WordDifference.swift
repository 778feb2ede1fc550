/// Computes the insertions and deletions of whole words that change one text to another.
enum WordDifference {
    /// A range of the old text, in scalars, and the text that replaces it.
    struct Edit: Equatable {
        var range: Range<Int>
        var text: String
    }

    /// If the changed part of the old or the new text has more words than this, it is replaced as a whole,
    /// because comparing it would take too long.
    private static let maximumWords = 2000

    /// The edits in the order of the text.
    static func edits(from old: String, to new: String) -> [Edit] {
        let (old, new) = (words(old), words(new))
        var start = 0
        while start < min(old.count, new.count), old[start] == new[start] { start += 1 }
        var (oldEnd, newEnd) = (old.count, new.count)
        while oldEnd > start, newEnd > start, old[oldEnd - 1] == new[newEnd - 1] {
            oldEnd -= 1
            newEnd -= 1
        }
        let position = old[..<start].reduce(0) { $0 + $1.unicodeScalars.count }
        return edits(Array(old[start..<oldEnd]), Array(new[start..<newEnd]), from: position)
    }

    private static func edits(_ old: [Substring], _ new: [Substring], from position: Int) -> [Edit] {
        if old.isEmpty, new.isEmpty { return [] }
        var removed = Set(old.indices)
        var inserted = Set(new.indices)
        if old.count <= maximumWords, new.count <= maximumWords {
            removed = []
            inserted = []
            for change in new.difference(from: old) {
                switch change {
                case .remove(let offset, _, _): removed.insert(offset)
                case .insert(let offset, _, _): inserted.insert(offset)
                }
            }
        }
        var edits: [Edit] = []
        var (one, two, place) = (0, 0, position)
        while one < old.count || two < new.count {
            var edit = Edit(range: place..<place, text: "")
            while one < old.count, removed.contains(one) {
                place += old[one].unicodeScalars.count
                one += 1
            }
            while two < new.count, inserted.contains(two) {
                edit.text += new[two]
                two += 1
            }
            edit.range = edit.range.lowerBound..<place
            if !edit.range.isEmpty || !edit.text.isEmpty { edits.append(edit) }
            while one < old.count, two < new.count, !removed.contains(one), !inserted.contains(two) {
                place += old[one].unicodeScalars.count
                one += 1
                two += 1
            }
        }
        return edits
    }

    /// Splits a text into words, and single characters that are not part of a word.
    private static func words(_ text: String) -> [Substring] {
        var words: [Substring] = []
        var rest = text[...]
        while let first = rest.first {
            let word = rest.prefix { $0.isLetter || $0.isNumber }
            words.append(first.isLetter || first.isNumber ? word : rest.prefix(1))
            rest = rest[words[words.count - 1].endIndex...]
        }
        return words
    }
}
