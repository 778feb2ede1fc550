package import Records

/// The body of a request as a value: read by the server, written by the client.
///
/// Reading ignores unknown keys and keys that are null, and throws `badRequest` with the path of the first
/// value that does not fit, such as `operations[3].record.fields.year.value`. A list that has more elements
/// than `limits` allow is refused with `limitExceeded` before any of them is read.
package protocol WireRequest: Hashable, Sendable {
    /// Reads the members of the body.
    init(_ body: JSONNode, limits: Limits) throws(RecordError)
    /// Writes the members of the body; those that have their default are left out.
    func write(to json: inout JSONWriter)
}

extension WireRequest {
    /// Reads a body; an empty one counts as `{}`.
    package init(bytes: [UInt8], limits: Limits = Limits()) throws(RecordError) {
        let text = bytes.isEmpty ? Array("{}".utf8) : bytes
        let document = try JSONDocument(text, nesting: limits.nesting, values: limits.jsonValues)
        try self.init(try document.root.object(), limits: limits)
    }

    /// The body as it is sent.
    package func encoded() -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        write(to: &json)
        json.endObject()
        return json.bytes
    }
}

extension JSONNode {
    /// The elements of a member that is a list and must be there, each read by `read`.
    package func list<Element>(
        _ key: StaticString, _ read: (JSONNode) throws(RecordError) -> Element
    ) throws(RecordError) -> [Element] {
        var values: [Element] = []
        for node in try required(key).array() { values.append(try read(node)) }
        return values
    }

    /// The elements of a member that is a list and must be there, each read by `read`, once it is clear that
    /// they are not more than `limit`; `next` says what to do when they are.
    package func list<Element>(
        _ key: StaticString, atMost limit: Int, next: String,
        _ read: (JSONNode) throws(RecordError) -> Element
    ) throws(RecordError) -> [Element] {
        let list = try required(key)
        try RecordError.check(list.elementCount, atMost: limit, "\(key)", next: next)
        return try self.list(key, read)
    }

    /// The texts of a member that is an array of strings, if it is there, once it is clear that they are not
    /// more than `limit`.
    func strings(
        _ key: StaticString, atMost limit: Int, next: String = "name fewer of them"
    ) throws(RecordError) -> [String]? {
        guard let list = self[key] else { return nil }
        try RecordError.check(list.elementCount, atMost: limit, "\(key)", next: next)
        return try list.strings()
    }

    /// The names of fields that an answer is to show, if the request says so.
    func desiredKeys(_ limits: Limits) throws(RecordError) -> [String]? {
        try strings(
            "desiredKeys", atMost: limits.keysPerRequest, next: "leave desiredKeys out to get all fields")
    }

    /// How many elements an array has, of which none is looked at; 0 for other kinds.
    var elementCount: Int { elements.reduce(0) { count, _ in count + 1 } }

    /// Whether a flag is set; absent means it is not.
    func flag(_ key: StaticString) throws(RecordError) -> Bool {
        try self[key]?.bool() ?? false
    }

    /// Whether numbers are to be answered as strings, in both spellings of the key.
    func numbersAsStrings() throws(RecordError) -> Bool? {
        try (self["numbersAsStrings"] ?? self["numberAsStrings"])?.bool()
    }

    /// The place where the last page ended. Empty text is none.
    func continuationMarker() throws(RecordError) -> [UInt8]? {
        guard let marker = self["continuationMarker"], try !marker.string().isEmpty else { return nil }
        guard let bytes = marker.base64Value else {
            throw RecordError(.badRequest, "Invalid continuation format", culprit: marker.path)
        }
        return bytes
    }

    /// A place in a feed of changes. Text that is not base64 becomes a token of its own letters, which no
    /// store recognises, so that the error concerns the one zone it was given for. Empty text is no token.
    func token(_ key: StaticString) throws(RecordError) -> ChangeToken? {
        guard let text = try self[key]?.string(), !text.isEmpty else { return nil }
        return ChangeToken(bytes: Base64.decode(text) ?? Array(text.utf8))
    }
}

extension JSONWriter {
    /// A member that is a list, each element written by `write`.
    mutating func list<Element>(
        _ name: StaticString, _ elements: some Sequence<Element>, _ write: (Element, inout JSONWriter) -> Void
    ) {
        key(name)
        beginArray()
        for element in elements { write(element, &self) }
        endArray()
    }
}
