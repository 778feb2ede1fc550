package import Records

/// A value that is spelled as a JSON object: an answer to a call, or a part of one.
///
/// Reading what was written gives the same value. Unknown keys are ignored.
package protocol WireObject: Hashable, Sendable {
    /// Reads the members of an object. Throws `badRequest` with the path of the first that does not fit.
    init(_ object: JSONNode) throws(RecordError)
    /// Writes the members.
    func writeMembers(to json: inout JSONWriter)
}

extension WireObject {
    /// Reads the body of an answer; an empty one counts as `{}`. Throws `internalError` when it cannot be
    /// read.
    package init(bytes: [UInt8]) throws(RecordError) {
        do throws(RecordError) {
            let text = bytes.isEmpty ? Array("{}".utf8) : bytes
            try self.init(try JSONDocument(text, nesting: answerNesting).root.object())
        } catch {
            throw error.asUnreadableAnswer
        }
    }

    /// The body of an answer.
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

/// A value that answers list under a name of its own.
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

/// An answer that says that the work is done.
package struct DoneAnswer: WireObject {
    package init() {}

    package init(_ object: JSONNode) throws(RecordError) {}

    package func writeMembers(to json: inout JSONWriter) {}
}

/// An answer with the name of what the call was about.
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

/// An answer with the id of what the call was about.
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

/// An answer with the name of what was deleted.
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
    /// The objects of a list that must be there.
    func objects<Element: WireObject>(_ key: StaticString) throws(RecordError) -> [Element] {
        try list(key) { (node) throws(RecordError) in try Element(node.object()) }
    }

    /// A moment in milliseconds.
    func timestamp() throws(RecordError) -> Timestamp {
        guard let milliseconds = int64Value else { throw unexpected() }
        return Timestamp(milliseconds: milliseconds)
    }

    /// The whole number, or an error that names this node.
    func int64() throws(RecordError) -> Int64 {
        guard let value = int64Value else { throw unexpected() }
        return value
    }

    /// The environment of that name. Throws `badRequest` when there is none.
    package func environment() throws(RecordError) -> CloudEnvironment {
        try CloudEnvironment(wire: string())
    }
}
