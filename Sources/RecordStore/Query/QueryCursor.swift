package import Records

/// The sort values of the last record of a page. The next page begins after them, so a cursor stays valid
/// after a restart.
package struct QueryCursor: Hashable, Sendable {
    /// One value for each criterion of the plan's order.
    package var values: [SortValue]
    /// The token of the first page, if the query asked for one. All pages return this token: a token taken
    /// with a later page would miss changes of records on earlier pages.
    package var token: ChangeToken?

    package init(values: [SortValue], token: ChangeToken? = nil) {
        self.values = values
        self.token = token
    }
}

// MARK: - Encoding

extension QueryCursor {
    /// The first byte of a marker.
    package static let formatVersion: UInt8 = 1
    /// The first byte of a marker with a token.
    private static let formatVersionWithToken: UInt8 = 2

    /// Whether bytes begin as a marker does.
    package static func mayBeMarker(_ bytes: [UInt8]) -> Bool {
        bytes.first == formatVersion || bytes.first == formatVersionWithToken
    }

    /// Encodes the cursor as an opaque marker that is valid for this query only.
    package func marker(for plan: QueryPlan) -> [UInt8] {
        var bytes: [UInt8] = [token == nil ? Self.formatVersion : Self.formatVersionWithToken]
        bytes.append(integer: plan.fingerprint)
        if let token { bytes.append(run: token.bytes) }
        for value in values { bytes.append(value) }
        return bytes
    }

    /// Decodes a marker of the same query. Throws `badRequest` for bytes of another format, for a truncated
    /// marker, and for a marker of another query.
    package init(marker: [UInt8], for plan: QueryPlan) throws(RecordError) {
        var reader = MarkerReader(bytes: marker[...])
        guard Self.mayBeMarker(marker), let version = reader.byte() else {
            throw RecordError(
                .badRequest, "Unknown sync continuation type", culprit: "continuationMarker",
                nextStep: "send the marker of the last answer unchanged, or start the query again"
            )
        }
        let fingerprint = reader.integer()
        let token = version == Self.formatVersionWithToken ? reader.run().map(ChangeToken.init(bytes:)) : nil
        var values: [SortValue] = []
        while !reader.isAtEnd, let value = reader.sortValue() { values.append(value) }
        guard reader.isIntact, reader.isAtEnd, values.count == plan.order.count, let fingerprint else {
            throw RecordError(
                .badRequest, "Invalid continuation format", culprit: "continuationMarker",
                nextStep: "send the marker of the last answer unchanged, or start the query again"
            )
        }
        guard fingerprint == plan.fingerprint else {
            throw RecordError(
                .badRequest, "the continuation marker belongs to another query",
                culprit: "continuationMarker",
                nextStep: "send the same query, zone and sort order as for the first page"
            )
        }
        self.init(values: values, token: token)
    }
}

extension [UInt8] {
    fileprivate mutating func append(integer: Int64) {
        let bits = UInt64(bitPattern: integer)
        for shift in stride(from: 56, through: 0, by: -8) {
            append(UInt8(truncatingIfNeeded: bits >> UInt64(shift)))
        }
    }

    fileprivate mutating func append(run: some Collection<UInt8>) {
        append(integer: Int64(run.count))
        append(contentsOf: run)
    }

    fileprivate mutating func append(_ value: SortValue) {
        switch value {
        case .missing: append(0)
        case .integer(let integer):
            append(1)
            append(integer: integer)
        case .real(let real):
            append(2)
            append(integer: Int64(bitPattern: real.bitPattern))
        case .text(let text):
            append(3)
            append(run: text.utf8)
        case .bytes(let bytes):
            append(4)
            append(run: bytes)
        }
    }
}

/// Reads the format that the extension above writes. Clears `isIntact` at the first malformed value.
private struct MarkerReader {
    var bytes: ArraySlice<UInt8>
    var isIntact = true

    init(bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { bytes.isEmpty }

    mutating func byte() -> UInt8? {
        bytes.popFirst()
    }

    mutating func integer() -> Int64? {
        guard bytes.count >= 8 else {
            isIntact = false
            return nil
        }
        let bits = bytes.prefix(8).bigEndianNumber
        bytes = bytes.dropFirst(8)
        return Int64(bitPattern: bits)
    }

    mutating func run() -> [UInt8]? {
        guard let count = integer(), count >= 0, count <= bytes.count else {
            isIntact = false
            return nil
        }
        defer { bytes = bytes.dropFirst(Int(count)) }
        return Array(bytes.prefix(Int(count)))
    }

    mutating func sortValue() -> SortValue? {
        switch byte() {
        case 0: return .missing
        case 1: return integer().map(SortValue.integer)
        case 2: return integer().map { .real(Double(bitPattern: UInt64(bitPattern: $0))) }
        case 3: return run().map { .text(String(decoding: $0, as: UTF8.self)) }
        case 4: return run().map(SortValue.bytes)
        default:
            isIntact = false
            return nil
        }
    }
}
