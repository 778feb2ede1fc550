/// The random number generator SplitMix64 by Steele, Lea and Flood. The numbers of a seed are the same on
/// every machine and in every release.
package struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) {
        state = seed
    }

    package mutating func next() -> UInt64 {
        state &+= Self.step
        return Self.mix(state)
    }

    /// A number from 0 to `bound - 1`. `bound` must be at least 1. The algorithm of `random(in:using:)` may
    /// change between releases of the standard library; this one does not.
    package mutating func below(_ bound: Int) -> Int {
        Int(next().multipliedFullWidth(by: UInt64(bound)).high)
    }

    package static let step: UInt64 = 0x9E37_79B9_7F4A_7C15

    package static func mix(_ value: UInt64) -> UInt64 {
        var mixed = value
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
