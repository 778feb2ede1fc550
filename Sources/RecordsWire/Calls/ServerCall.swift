package import Records

/// One call of the server as a value, which clients encode and the server decodes.
///
/// To add a call, add a case to its endpoint enumeration and a type that conforms to this protocol; the
/// server's table of calls does not compile before it handles the case. Decoding ignores unknown keys, and
/// throws `badRequest` with the path of the first invalid value.
package protocol ServerCall: Hashable, Sendable {
    /// The type of the answer.
    associatedtype Answer: WireObject

    static var endpoint: ServerEndpoint { get }

    init(reading request: CallReader) throws(RecordError)
    func write(to request: inout CallWriter)
}

/// A request to decode: the parameters of its path and query, and the JSON object in its body.
package struct CallReader: Sendable {
    private let parameters: [String: Substring]
    private let query: String
    package let body: JSONNode

    /// - Parameters:
    ///   - parameters: The parameters of the path, percent-encoded.
    ///   - query: The query string without the question mark.
    ///   - body: A JSON object.
    package init(parameters: [String: Substring] = [:], query: String = "", body: JSONNode) {
        self.parameters = parameters
        self.query = query
        self.body = body
    }

    /// A parameter of the path, such as `container`. Throws `badRequest` if the path does not contain it.
    package func parameter(_ name: StaticString) throws(RecordError) -> String {
        guard let text = parameters["\(name)"], let value = PercentEncoding.decode(text) else {
            throw RecordError(.badRequest, "the path contains no \(name)", culprit: "\(name)")
        }
        return value
    }

    /// The parameter `environment` of the path. Throws `badRequest` for an unknown environment.
    package func environment() throws(RecordError) -> CloudEnvironment {
        let name = try parameter("environment")
        if let environment = CloudEnvironment(rawValue: name) { return environment }
        throw RecordError(
            .badRequest, "there is no environment with this name", culprit: name,
            nextStep: "use development or production"
        )
    }

    /// A parameter of the query, decoded; nil if it is missing. If a name occurs twice, the first counts.
    /// Throws `badRequest` for an invalid encoding.
    package func query(_ name: StaticString) throws(RecordError) -> String? {
        guard let text = encodedQuery(name) else { return nil }
        if let value = PercentEncoding.decode(text) { return value }
        throw RecordError(
            .badRequest, "a parameter of the query cannot be read", culprit: "\(name)",
            nextStep: "send it in UTF-8, percent-encoded"
        )
    }

    /// A parameter of the query, still percent-encoded; nil if it is missing.
    package func encodedQuery(_ name: StaticString) -> Substring? {
        for pair in query.utf8.split(separator: UInt8(ascii: "&")) {
            let equals = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
            if Substring(pair[..<equals]) == "\(name)" { return Substring(pair[equals...].dropFirst()) }
        }
        return nil
    }
}

/// Encodes a request.
package struct CallWriter: ~Copyable {
    private let template: PathTemplate
    private var parameters: [String: String] = [:]
    private var query: [String] = []
    /// The body, positioned inside its JSON object.
    package var body = JSONWriter()

    init(_ endpoint: ServerEndpoint) {
        template = endpoint.template
        body.beginObject()
    }

    /// Sets a parameter of the path.
    package mutating func parameter(_ name: StaticString, _ value: String) {
        parameters["\(name)"] = value
    }

    /// Sets the parameters `container` and `environment` of the path.
    package mutating func place(_ container: String, _ environment: CloudEnvironment) {
        parameter("container", container)
        parameter("environment", environment.rawValue)
    }

    /// Adds a parameter to the query, unless it is nil.
    package mutating func query(_ name: StaticString, _ value: String?) {
        if let value { query.append("\(name)=\(PercentEncoding.encode(value))") }
    }

    consuming func request(as person: RequestParameters) -> CloudRequest {
        let query = (self.query + [person.text]).filter { !$0.isEmpty }.joined(separator: "&")
        let target = template.path(parameters) + (query.isEmpty ? "" : "?" + query)
        body.endObject()
        return template.method == .get
            ? CloudRequest(.get, target)
            : CloudRequest(
                .post, target, headers: ["Content-Type": "application/json"], body: .bytes(body.bytes))
    }
}

extension CloudRequest {
    /// Encodes a call as a request.
    ///
    /// - Parameter person: The credentials for the query.
    package init(_ call: some ServerCall, as person: RequestParameters = RequestParameters()) {
        var writer = CallWriter(type(of: call).endpoint)
        call.write(to: &writer)
        self = writer.request(as: person)
    }
}
