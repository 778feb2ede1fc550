package import Records

/// Reads a page of the last requests that the server has answered, newest first.
package struct ReadRequests: ServerCall {
    package typealias Answer = ListAnswer<LoggedRequest>
    package static let endpoint = ServerEndpoint.operator(.readRequests)

    package var filter: RequestFilter

    package init(_ filter: RequestFilter = RequestFilter()) {
        self.filter = filter
    }

    package init(reading request: CallReader) throws(RecordError) {
        filter = RequestFilter()
        filter.container = try request.query("container")
        filter.environment = try Self.choice(request, "environment")
        filter.operation = try request.query("operation")
        filter.error = try Self.choice(request, "error")
        filter.person = try request.query("person")
        filter.device = try request.query("device")
        filter.recordName = try request.query("record")
        filter.after = try request.query("after").flatMap { Int64($0) }
        filter.before = try request.query("before").flatMap { Int64($0) }
    }

    /// A parameter that is one of a few words. Throws `badRequest` for any other.
    private static func choice<Value: RawRepresentable<String>>(
        _ request: CallReader, _ name: StaticString
    ) throws(RecordError) -> Value? {
        guard let text = try request.query(name) else { return nil }
        if let value = Value(rawValue: text) { return value }
        throw RecordError(
            .badRequest, "there is no such \(name)", culprit: text, nextStep: "check the spelling")
    }

    package func write(to request: inout CallWriter) {
        request.query("container", filter.container)
        request.query("environment", filter.environment?.rawValue)
        request.query("operation", filter.operation)
        request.query("error", filter.error?.rawValue)
        request.query("person", filter.person)
        request.query("device", filter.device)
        request.query("record", filter.recordName)
        request.query("after", filter.after.map { String($0) })
        request.query("before", filter.before.map { String($0) })
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
