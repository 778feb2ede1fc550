import RecordsWire

/// An HTTP request as a list of byte arrays, so that large bodies can share parts.
struct LoadRequest {
    var pieces: [[UInt8]]

    init(_ method: String, _ target: String, headers: [String] = [], body: [[UInt8]] = []) {
        var head = "\(method) \(target) HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        for header in headers { head += header + "\r\n" }
        if method != "GET" { head += "Content-Length: \(body.reduce(0) { $0 + $1.count })\r\n" }
        pieces = [Array((head + "\r\n").utf8)] + body
        if let first = body.first, first.count < 64 * 1024 {
            // A small request is one piece, so that it is sent in one packet.
            pieces[0] += first
            pieces.remove(at: 1)
        }
    }

    init(_ method: String, _ target: String, headers: [String] = [], json: String) {
        let headers = headers + ["Content-Type: application/json"]
        self.init(method, target, headers: headers, body: [Array(json.utf8)])
    }

    /// The request for a call of the server.
    ///
    /// - Parameter key: The operator's key, for calls that need it.
    init(_ call: some ServerCall, key: String? = nil) {
        let request = CloudRequest(call)
        var body: [[UInt8]] = []
        if case .bytes(let bytes) = request.body { body = [bytes] }
        let headers = request.headers.lines.map { "\($0.name): \($0.value)" }
        self.init(
            request.method.rawValue, request.target,
            headers: headers + (key.map { ["Authorization: Bearer \($0)"] } ?? []), body: body)
    }
}
