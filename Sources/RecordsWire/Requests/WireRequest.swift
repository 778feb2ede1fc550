// Owns what all request bodies have in common.

package import Records

/// The body of a request as a value: read by the server, written by the client.
///
/// Reading ignores unknown keys and keys that are null, and throws `badRequest` with the path of the first
/// value that does not fit, such as `operations[3].record.fields.year.value`.
package protocol WireRequest: Hashable, Sendable {
    /// Reads the members of the body.
    init(_ body: JSONNode) throws(RecordError)
    /// Writes the members of the body; those that have their default are left out.
    func write(to json: inout JSONWriter)
}

extension WireRequest {
    /// Reads a body; an empty one counts as `{}`.
    package init(bytes: [UInt8], limits: Limits = Limits()) throws(RecordError) {
        let text = bytes.isEmpty ? Array("{}".utf8) : bytes
        try self.init(try JSONDocument(text, nesting: limits.nesting).root.object())
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

    /// Whether a flag is set; absent means it is not.
    func flag(_ key: StaticString) throws(RecordError) -> Bool {
        try self[key]?.bool() ?? false
    }

    /// Whether numbers are to be answered as strings, in both spellings of the key (sheet 1.9).
    func numbersAsStrings() throws(RecordError) -> Bool? {
        try (self["numbersAsStrings"] ?? self["numberAsStrings"])?.bool()
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
