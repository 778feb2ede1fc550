package import Records

/// Reads a page of the last requests that the server has answered, newest first.
package struct ReadRequests: ServerCall {
    package typealias Answer = RequestPage
    package static let endpoint = ServerEndpoint.operator(.readRequests)

    package var filter: RequestFilter

    package init(_ filter: RequestFilter = RequestFilter()) {
        self.filter = filter
    }

    package init(reading request: CallReader) throws(RecordError) {
        filter = RequestFilter()
        filter.container = try request.query("container")
        filter.environment = try Self.environment(request)
        filter.operation = try request.query("operation")
        filter.errors = try Self.errors(request)
        filter.person = try request.query("person")
        filter.device = try request.query("device")
        filter.recordName = try request.query("record")
        filter.after = try request.query("after").flatMap { Int64($0) }
        filter.before = try request.query("before").flatMap { Int64($0) }
    }

    private static func environment(_ request: CallReader) throws(RecordError) -> CloudEnvironment? {
        guard let text = try request.query("environment") else { return nil }
        if let environment = CloudEnvironment(rawValue: text) { return environment }
        throw unknown("environment", text)
    }

    /// The errors in the parameter `error`, whose words are separated by commas.
    private static func errors(_ request: CallReader) throws(RecordError) -> Set<RecordError.Code> {
        guard let text = try request.query("error") else { return [] }
        var errors: Set<RecordError.Code> = []
        for word in text.split(separator: ",", omittingEmptySubsequences: false) {
            let codes = RecordError.Code.codes(named: String(word))
            if codes.isEmpty { throw unknown("error", String(word)) }
            errors.formUnion(codes)
        }
        return errors
    }

    private static func unknown(_ name: String, _ text: String) -> RecordError {
        RecordError(.badRequest, "there is no such \(name)", culprit: text, nextStep: "check the spelling")
    }

    package func write(to request: inout CallWriter) {
        request.query("container", filter.container)
        request.query("environment", filter.environment?.rawValue)
        request.query("operation", filter.operation)
        let errors = filter.errors.map(\.rawValue).sorted().joined(separator: ",")
        request.query("error", errors.isEmpty ? nil : errors)
        request.query("person", filter.person)
        request.query("device", filter.device)
        request.query("record", filter.recordName)
        request.query("after", filter.after.map { String($0) })
        request.query("before", filter.before.map { String($0) })
    }
}

/// A page of the last requests, newest first, and how many of all requests the server still keeps.
package struct RequestPage: WireObject {
    package var requests: [LoggedRequest]
    /// The number of requests that the log has had since the server started.
    package var answered: Int64
    /// The number of those that the server still keeps: the newest ones.
    package var kept: Int64

    package init(_ requests: [LoggedRequest], answered: Int64, kept: Int64) {
        self.requests = requests
        self.answered = answered
        self.kept = kept
    }

    package init(_ object: JSONNode) throws(RecordError) {
        requests = try object.objects(LoggedRequest.listName)
        answered = try object.required("answered").int64()
        kept = try object.required("kept").int64()
    }

    package func writeMembers(to json: inout JSONWriter) {
        json.list(LoggedRequest.listName, requests) { $0.write(to: &$1) }
        json.member("answered", answered)
        json.member("kept", kept)
    }
}

extension LoggedRequest: WireListed {
    package static var listName: StaticString { "requests" }

    package init(_ object: JSONNode) throws(RecordError) {
        self.init(
            at: try object.required("at").timestamp(), operation: try object.required("operation").string(),
            client: try object.required("client").string(),
            status: Int(clamping: try object.required("status").int64()),
            microseconds: try object.required("microseconds").int64())
        number = try object.required("number").int64()
        container = try object["container"]?.string()
        environment = try object["environment"]?.environment()
        database = try object["database"].flatMap { node throws(RecordError) in
            DatabaseKind(rawValue: try node.string())
        }
        person = try object["person"]?.string()
        personName = try object["personName"]?.string()
        device = try object["device"]?.string()
        if let list = try object["errors"]?.array() {
            for error in list {
                if let code = RecordError.Code(rawValue: try error.string()) { errors.append(code) }
            }
        }
        reason = try object["reason"]?.string()
        if let list = try object["recordNames"]?.array() {
            for name in list { recordNames.append(try name.string()) }
        }
        requestBytes = try object["requestBytes"].map { node throws(RecordError) in
            Int(clamping: try node.int64())
        }
        responseBytes = try object["responseBytes"].map { node throws(RecordError) in
            Int(clamping: try node.int64())
        }
        id = try object["request"]?.string()
    }

    package func writeMembers(to json: inout JSONWriter) {
        json.member("number", number)
        json.member("at", at.milliseconds)
        json.member("operation", operation)
        json.member("container", container)
        json.member("environment", environment?.rawValue)
        json.member("database", database?.rawValue)
        json.member("client", client)
        json.member("person", person)
        json.member("personName", personName)
        json.member("device", device)
        json.member("status", Int64(status))
        if !errors.isEmpty { json.member("errors", errors.map(\.rawValue)) }
        json.member("reason", reason)
        if !recordNames.isEmpty { json.member("recordNames", recordNames) }
        json.member("requestBytes", requestBytes.map { Int64($0) })
        json.member("responseBytes", responseBytes.map { Int64($0) })
        json.member("microseconds", microseconds)
        json.member("request", id)
    }
}
