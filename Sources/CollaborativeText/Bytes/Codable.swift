import Foundation

/// A contribution is encoded as a batch that contains only this contribution.
extension TextContribution: Codable {
    /// Throws ``TextError`` as ``contributions(in:)`` does, and `DecodingError` if the batch does not contain
    /// exactly one contribution.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let all = try Self.contributions(in: try container.decode(Data.self))
        guard let one = all.first, all.count == 1 else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "the batch has \(all.count) contributions instead of one")
        }
        self = one
    }

    /// Writes the bytes of the batch.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Self.bytes(of: [self]))
    }
}

/// A site is encoded as its name.
extension TextSite: Codable {
    /// Throws ``TextError/site(_:)`` if the name is not allowed.
    public init(from decoder: any Decoder) throws {
        try self.init(try decoder.singleValueContainer().decode(String.self))
    }

    /// Encodes the name.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(name)
    }
}
