import RecordsWire

/// What came back: status, headers, bytes.
struct Reply: Sendable {
    var status: Int
    var headers: CloudHeaders
    var bytes: [UInt8]

    /// The body; null when it is no JSON.
    var json: JSON { (try? JSON(bytes)) ?? .null }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Status, code and reason of a request that failed, and what stands out of an item that did.
    var failure: String { "\(status) \(Self.failure(json))" }

    /// Code and reason of an error dictionary.
    static func failure(_ error: JSON) -> String {
        "\(error["serverErrorCode"].text ?? "-"): \(error["reason"].text ?? "-")"
    }

    /// Code and reason of every record of the answer, `ok` for those that have none.
    var records: [String] { items("records") }

    /// Code and reason of every entry under that key, `ok` for those that have none.
    func items(_ key: String) -> [String] {
        json[key].elements.map { $0["serverErrorCode"] == .null ? "ok" : Self.failure($0) }
    }

    /// The headers that do not depend on how the answer travelled, by name.
    var ownHeaders: [String] {
        headers.map { "\($0.name.lowercased()): \($0.value)" }
            .filter { line in !Self.transportHeaders.contains { line.hasPrefix($0 + ":") } }.sorted()
    }

    private static let transportHeaders = ["content-length", "transfer-encoding", "connection", "date"]
}
