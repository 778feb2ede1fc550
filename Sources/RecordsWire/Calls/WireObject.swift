package import Records

/// A value with a JSON object as its encoding: an answer to a call, or a part of one.
///
/// Encoding and decoding a value gives the same value. Unknown keys are ignored.
package protocol WireObject: Hashable, Sendable {
    /// Decodes an object. Throws `badRequest` with the path of the first invalid member.
    init(_ object: JSONNode) throws(RecordError)
    /// Writes the members of the object.
    func writeMembers(to json: inout JSONWriter)
}

extension WireObject {
    /// Decodes the body of an answer; an empty body counts as `{}`. Throws `internalError` if it cannot be
    /// read.
    package init(bytes: [UInt8]) throws(RecordError) {
        do throws(RecordError) {
            let text = bytes.isEmpty ? Array("{}".utf8) : bytes
            try self.init(try JSONDocument(text, nesting: answerNesting).root.object())
        } catch {
            throw error.asUnreadableAnswer
        }
    }

    /// Encodes the body of an answer.
    package func encoded() -> [UInt8] {
        var json = JSONWriter()
        write(to: &json)
        return json.bytes
    }

    func write(to json: inout JSONWriter) {
        json.beginObject()
        writeMembers(to: &json)
        json.endObject()
    }
}

/// A value that answers contain in a list, with the name of that list.
package protocol WireListed: WireObject {
    static var listName: StaticString { get }
}

/// An answer with one list.
package struct ListAnswer<Element: WireListed>: WireObject {
    package var elements: [Element]

    package init(_ elements: [Element]) {
        self.elements = elements
    }

    package init(_ object: JSONNode) throws(RecordError) {
        elements = try object.objects(Element.listName)
    }

    package func writeMembers(to json: inout JSONWriter) {
        json.list(Element.listName, elements) { $0.write(to: &$1) }
    }
}

/// An answer without content, which confirms the call.
package struct DoneAnswer: WireObject {
    package init() {}

    package init(_ object: JSONNode) throws(RecordError) {}

    package func writeMembers(to json: inout JSONWriter) {}
}

/// An answer with the name of the object of the call.
package struct NameAnswer: WireObject {
    package var name: String

    package init(name: String) {
        self.name = name
    }

    package init(_ object: JSONNode) throws(RecordError) {
        name = try object.required("name").string()
    }

    package func writeMembers(to json: inout JSONWriter) {
        json.member("name", name)
    }
}

/// An answer with the identifier of the object of the call.
package struct IDAnswer: WireObject {
    package var id: String

    package init(id: String) {
        self.id = id
    }

    package init(_ object: JSONNode) throws(RecordError) {
        id = try object.required("id").string()
    }

    package func writeMembers(to json: inout JSONWriter) {
        json.member("id", id)
    }
}

/// An answer with the name of the deleted object.
package struct DeletionAnswer: WireObject {
    package var name: String
    package var isDeleted: Bool

    package init(name: String, isDeleted: Bool = true) {
        self.name = name
        self.isDeleted = isDeleted
    }

    package init(_ object: JSONNode) throws(RecordError) {
        name = try object.required("name").string()
        isDeleted = try object.required("deleted").bool()
    }

    package func writeMembers(to json: inout JSONWriter) {
        json.member("name", name)
        json.member("deleted", isDeleted)
    }
}

extension JSONNode {
    /// Decodes a mandatory list of objects.
    func objects<Element: WireObject>(_ key: StaticString) throws(RecordError) -> [Element] {
        try list(key) { (node) throws(RecordError) in try Element(node.object()) }
    }

    /// The timestamp in milliseconds, or an error that names this node.
    func timestamp() throws(RecordError) -> Timestamp {
        guard let milliseconds = int64Value else { throw unexpected() }
        return Timestamp(milliseconds: milliseconds)
    }

    /// The integer, or an error that names this node.
    func int64() throws(RecordError) -> Int64 {
        guard let value = int64Value else { throw unexpected() }
        return value
    }

    /// The environment with this name. Throws `badRequest` if there is none.
    package func environment() throws(RecordError) -> CloudEnvironment {
        try CloudEnvironment(wire: string())
    }
}
