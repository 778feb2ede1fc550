package import Records

/// The body of a request as a value, which clients encode and the server decodes.
///
/// Decoding ignores unknown keys and null values. It throws `badRequest` with the path of the first invalid
/// value, such as `operations[3].record.fields.year.value`. A list with more elements than `limits` allow
/// fails with `limitExceeded` before any element is decoded.
package protocol WireRequest: Hashable, Sendable {
    /// Decodes the members of the body.
    init(_ body: JSONNode, limits: Limits) throws(RecordError)
    /// Writes the members of the body, without those that have their default value.
    func write(to json: inout JSONWriter)
}

extension WireRequest {
    /// Decodes a body; an empty body counts as `{}`.
    package init(bytes: [UInt8], limits: Limits = Limits()) throws(RecordError) {
        let text = bytes.isEmpty ? Array("{}".utf8) : bytes
        let document = try JSONDocument(request: text, limits)
        try self.init(try document.root.object(), limits: limits)
    }

    /// Encodes the body.
    package func encoded() -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        write(to: &json)
        json.endObject()
        return json.bytes
    }
}

extension JSONNode {
    /// Decodes the elements of a mandatory list with `read`.
    package func list<Element>(
        _ key: StaticString, _ read: (JSONNode) throws(RecordError) -> Element
    ) throws(RecordError) -> [Element] {
        var values: [Element] = []
        for node in try required(key).array() { values.append(try read(node)) }
        return values
    }

    /// Decodes the elements of a mandatory list with `read`. Throws `limitExceeded` first if there are more
    /// than `limit`; `next` is the error's next step.
    package func list<Element>(
        _ key: StaticString, atMost limit: Int, next: String,
        _ read: (JSONNode) throws(RecordError) -> Element
    ) throws(RecordError) -> [Element] {
        let list = try required(key)
        try RecordError.check(list.elementCount, atMost: limit, "\(key)", next: next)
        return try self.list(key, read)
    }

    /// Decodes an optional array of strings. Throws `limitExceeded` first if there are more than `limit`.
    func strings(
        _ key: StaticString, atMost limit: Int, next: String = "name fewer of them"
    ) throws(RecordError) -> [String]? {
        guard let list = self[key] else { return nil }
        try RecordError.check(list.elementCount, atMost: limit, "\(key)", next: next)
        return try list.strings()
    }

    /// The fields that the answer is to contain, if the request restricts them.
    func desiredKeys(_ limits: Limits) throws(RecordError) -> [String]? {
        try strings(
            "desiredKeys", atMost: limits.keysPerRequest, next: "leave desiredKeys out to get all fields")
    }

    /// The number of elements of an array, counted without decoding them; 0 for other kinds.
    var elementCount: Int { elements.reduce(0) { count, _ in count + 1 } }

    /// The value of a boolean member; false if it is absent.
    func flag(_ key: StaticString) throws(RecordError) -> Bool {
        try self[key]?.bool() ?? false
    }

    /// Whether the answer is to contain numbers as strings. Accepts both spellings of the key.
    func numbersAsStrings() throws(RecordError) -> Bool? {
        try (self["numbersAsStrings"] ?? self["numberAsStrings"])?.bool()
    }

    /// The continuation marker of the previous page; nil if it is absent or empty.
    func continuationMarker() throws(RecordError) -> [UInt8]? {
        guard let marker = self["continuationMarker"], try !marker.string().isEmpty else { return nil }
        guard let bytes = marker.base64Value else {
            throw RecordError(.badRequest, "Invalid continuation format", culprit: marker.path)
        }
        return bytes
    }

    /// A change token; nil if it is absent or empty. Text that is not base64 becomes a token that no store
    /// recognises, so that the error concerns only its own zone.
    func token(_ key: StaticString) throws(RecordError) -> ChangeToken? {
        guard let text = try self[key]?.string(), !text.isEmpty else { return nil }
        return ChangeToken(bytes: Base64.decode(text) ?? Array(text.utf8))
    }
}

extension JSONWriter {
    /// Writes an array member, with `write` for each element.
    mutating func list<Element>(
        _ name: StaticString, _ elements: some Sequence<Element>, _ write: (Element, inout JSONWriter) -> Void
    ) {
        key(name)
        beginArray()
        for element in elements { write(element, &self) }
        endArray()
    }
}
