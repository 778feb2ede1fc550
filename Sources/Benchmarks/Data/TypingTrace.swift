import Records

/// Simulated edits of a person in one text: bursts of words, corrections, jumps and deletions, determined by
/// a seed.
struct TypingTrace {
    /// The text that replaces a range of positions.
    struct Edit {
        var position: Int
        var deleted: Int
        var text: String
        /// Whether the person pauses after the edit.
        var isPause = false
    }

    private(set) var edits: [Edit] = []
    private var random: SplitMix64
    private var length = 0
    private var cursor = 0
    private var typed = 0

    /// - Parameter count: the number of typed characters, one in each edit.
    init(typing count: Int, seed: UInt64) {
        random = SplitMix64(seed: seed)
        while typed < count {
            if random.below(100) < 15 { jump() }
            if random.below(100) < 3 { delete(min(length - cursor, 10 + random.below(50))) }
            let words = 1 + random.below(12)
            for _ in 0..<words where typed < count { typeWord(upTo: count) }
            if !edits.isEmpty { edits[edits.count - 1].isPause = true }
        }
    }

    /// Moves the cursor to a nearby position, or to any position.
    private mutating func jump() {
        cursor = random.below(2) == 0 ? random.below(length + 1) : max(0, cursor - random.below(200))
    }

    private mutating func typeWord(upTo count: Int) {
        for _ in 0..<(1 + random.below(9)) where typed < count {
            type(Character(Unicode.Scalar(UInt8(ascii: "a") + UInt8(random.below(26)))))
            // A typing error, which the person corrects one to three characters later.
            if random.below(100) < 4 {
                let back = min(cursor, 1 + random.below(3))
                cursor -= back
                delete(back)
            }
        }
        if typed < count { type(random.below(12) == 0 ? "ä" : " ") }
    }

    private mutating func type(_ character: Character) {
        edits.append(Edit(position: cursor, deleted: 0, text: String(character)))
        typed += 1
        length += 1
        cursor += 1
    }

    private mutating func delete(_ count: Int) {
        guard count > 0 else { return }
        edits.append(Edit(position: cursor, deleted: count, text: ""))
        length -= count
    }
}
