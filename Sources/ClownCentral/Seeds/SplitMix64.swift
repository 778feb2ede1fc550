/// Steele, Lea and Flood's SplitMix64: one addition and one mix per number, the same on every machine and in
/// every release. The standard library's own `random(in:using:)` may change between releases, so the drawing
/// of bounded numbers is written here too.
struct SplitMix64: Sendable {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    /// A stream of its own for item `index`, so that item 999,999 needs none of those before it.
    init(seed: UInt64, stream index: Int) {
        state = Self.mix(seed ^ Self.mix(UInt64(truncatingIfNeeded: index) &+ Self.step))
    }

    mutating func next() -> UInt64 {
        state &+= Self.step
        return Self.mix(state)
    }

    /// A number from 0 up to, not including, `bound`, which is at least 1.
    mutating func below(_ bound: Int) -> Int {
        Int(next().multipliedFullWidth(by: UInt64(bound)).high)
    }

    /// A number from -1 to 1, more often near the middle than at the ends.
    mutating func aroundZero() -> Double {
        let scale = 1.0 / Double(1 << 53)
        return Double(next() >> 11) * scale - Double(next() >> 11) * scale
    }

    /// One element of a list that has at least one.
    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[below(elements.count)]
    }

    private static let step: UInt64 = 0x9E37_79B9_7F4A_7C15

    private static func mix(_ value: UInt64) -> UInt64 {
        var mixed = value
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
