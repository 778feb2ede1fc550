/// The random number generator SplitMix64 by Steele, Lea and Flood. Its numbers are the same on every machine
/// and in every release. The bounded numbers are computed here because the algorithm of `random(in:using:)`
/// may change between releases of the standard library.
struct SplitMix64: Sendable {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    /// Creates an independent stream for item `index`, so that item 999,999 does not depend on those before
    /// it.
    init(seed: UInt64, stream index: Int) {
        state = Self.mix(seed ^ Self.mix(UInt64(truncatingIfNeeded: index) &+ Self.step))
    }

    mutating func next() -> UInt64 {
        state &+= Self.step
        return Self.mix(state)
    }

    /// A number from 0 to `bound - 1`. `bound` must be at least 1.
    mutating func below(_ bound: Int) -> Int {
        Int(next().multipliedFullWidth(by: UInt64(bound)).high)
    }

    /// A number from -1 to 1 with a triangular distribution around 0.
    mutating func aroundZero() -> Double {
        let scale = 1.0 / Double(1 << 53)
        return Double(next() >> 11) * scale - Double(next() >> 11) * scale
    }

    /// A random element. The list must not be empty.
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
