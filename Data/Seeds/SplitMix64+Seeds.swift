extension SplitMix64 {
    /// Creates an independent stream for item `index`, so that item 999,999 does not depend on those before
    /// it.
    init(seed: UInt64, stream index: Int) {
        self.init(seed: Self.mix(seed ^ Self.mix(UInt64(truncatingIfNeeded: index) &+ Self.step)))
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
}
