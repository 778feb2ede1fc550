/// The permanent identity of one Unicode scalar of a text.
public struct ScalarID: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The site that typed the scalar.
    public let site: TextSite
    /// The number that the site assigned to the scalar. The scalars of a run have consecutive numbers.
    public let number: Int

    /// - Parameter number: A number less than ``TextLimits/numbersPerSite`` and not negative. Contributions
    ///   with other numbers are refused.
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
