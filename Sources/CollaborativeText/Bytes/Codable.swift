import Foundation

/// A contribution is coded as the bytes of a batch that has it alone.
extension TextContribution: Codable {
    /// Throws ``TextError`` for bytes that ``contributions(in:)`` refuses.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let all = try Self.contributions(in: try container.decode(Data.self))
        guard let one = all.first, all.count == 1 else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "\(all.count) contributions instead of one")
        }
        self = one
    }

    /// Encodes the bytes.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Self.bytes(of: [self]))
    }
}

/// A site is coded as its name.
extension TextSite: Codable {
    /// Throws ``TextError/site(_:)`` for names that ``init(_:)`` refuses.
    public init(from decoder: any Decoder) throws {
        try self.init(try decoder.singleValueContainer().decode(String.self))
    }

    /// Encodes the name.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(name)
    }
}
