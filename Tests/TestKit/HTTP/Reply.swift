import RecordsWire

/// The answer to a request.
struct Reply: Sendable {
    var status: Int
    var headers: CloudHeaders
    var bytes: [UInt8]

    /// The body as JSON; null if it is not JSON.
    var json: JSON { (try? JSON(bytes)) ?? .null }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The status, error code and reason of a failed request.
    var failure: String { "\(status) \(Self.failure(json))" }

    /// The code and the reason of an error dictionary.
    static func failure(_ error: JSON) -> String {
        "\(error["serverErrorCode"].text ?? "-"): \(error["reason"].text ?? "-")"
    }

    /// For each record of the answer, the code and the reason of its error, or `ok`.
    var records: [String] { items("records") }

    /// For each element of the array `key`, the code and the reason of its error, or `ok`.
    func items(_ key: String) -> [String] {
        json[key].elements.map { $0["serverErrorCode"] == .null ? "ok" : Self.failure($0) }
    }

    /// The headers that do not depend on the transport, sorted by name.
    var ownHeaders: [String] {
        headers.map { "\($0.name.lowercased()): \($0.value)" }
            .filter { line in !Self.transportHeaders.contains { line.hasPrefix($0 + ":") } }.sorted()
    }

    private static let transportHeaders = ["content-length", "transfer-encoding", "connection", "date"]
}
