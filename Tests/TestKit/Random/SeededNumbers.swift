import Records

/// A random number generator with a seed, so that every run of a test uses the same values.
struct SeededNumbers: RandomNumberGenerator {
    private var numbers: SplitMix64

    init(seed: UInt64) {
        numbers = SplitMix64(seed: seed)
    }

    mutating func next() -> UInt64 { numbers.next() }

    /// A number from 0 up to, but not including, the limit; 0 if the limit is 0.
    mutating func below(_ limit: Int) -> Int {
        limit > 0 ? Int(next() % UInt64(limit)) : 0
    }

    /// True with this probability in percent.
    mutating func chance(_ percent: Int) -> Bool {
        Int.random(in: 0..<100, using: &self) < percent
    }

    mutating func pick<T>(_ choices: [T]) -> T {
        choices[Int.random(in: 0..<choices.count, using: &self)]
    }

    /// Changes, removes, doubles or swaps some bytes, or writes a word over them.
    ///
    /// - Parameter values: replacements for a value after a colon, so that JSON often stays valid.
    mutating func damage(_ bytes: inout [UInt8], words: [String], values: [String] = []) {
        guard !bytes.isEmpty else { return }
        let at = Int.random(in: 0..<bytes.count, using: &self)
        let end = min(bytes.count, at + Int.random(in: 1...12, using: &self))
        switch Int.random(in: 0..<(values.isEmpty ? 5 : 6), using: &self) {
        case 0: bytes[at] = UInt8(truncatingIfNeeded: next())
        case 1: bytes.removeSubrange(at..<end)
        case 2: bytes.insert(contentsOf: bytes[at..<end], at: at)
        case 3: bytes.replaceSubrange(at..<end, with: pick(words).utf8)
        case 4: bytes.swapAt(at, Int.random(in: 0..<bytes.count, using: &self))
        default:
            guard let colon = bytes[at...].firstIndex(of: UInt8(ascii: ":")),
                let end = bytes[(colon + 1)...].firstIndex(where: { [0x2C, 0x7D, 0x5D].contains($0) })
            else { return }
            bytes.replaceSubrange(colon + 1..<end, with: pick(values).utf8)
        }
    }
}
