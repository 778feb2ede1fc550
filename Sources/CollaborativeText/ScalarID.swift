/// The identity of one Unicode scalar of a text, which it keeps forever.
public struct ScalarID: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The site that typed the scalar.
    public let site: TextSite
    /// The number that the site gave it. A run gives its scalars consecutive numbers.
    public let number: Int

    /// - Parameter number: from 0 to ``TextLimits/numbersPerSite``; contributions with others are refused.
    public init(site: TextSite, number: Int) {
        self.site = site
        self.number = number
    }

    /// The site and the number, for example `phone/7`.
    public var description: String { "\(site)/\(number)" }
}

/// Consecutive scalars of one site.
public struct ScalarRange: Hashable, Sendable {
    /// The first scalar.
    public var first: ScalarID
    /// The number of scalars, at least 1.
    public var count: Int

    /// Creates a range of scalars.
    public init(first: ScalarID, count: Int) {
        self.first = first
        self.count = count
    }
}
