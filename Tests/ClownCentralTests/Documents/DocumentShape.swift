import RecordsWire

/// The structure that several JSON documents have in common: their types and keys.
struct DocumentShape: Equatable {
    /// A key of an object.
    struct Member: Equatable {
        let name: String
        var shape: DocumentShape
        /// Whether every object has the key.
        var isAlways: Bool
    }

    /// The name in place of all keys of an object whose keys are not fixed, such as field names.
    static let anyName = "*"

    /// The types of simple values: `string`, `number`, `boolean` and `null`.
    private(set) var kinds: Set<String> = []
    /// The shape of the elements of arrays, if any; nil if no document is an array.
    private(set) var elements: [DocumentShape]?
    /// The members of objects; nil if no document is an object.
    private(set) var members: [Member]?

    init(kinds: Set<String> = [], elements: [DocumentShape]? = nil, members: [Member]? = nil) {
        (self.kinds, self.elements, self.members) = (kinds, elements, members)
    }

    // MARK: From output

    init(_ node: JSONNode) {
        switch node.kind {
        case .null: kinds = ["null"]
        case .true, .false: kinds = ["boolean"]
        case .integer, .real: kinds = ["number"]
        case .string, .escapedString: kinds = ["string"]
        case .array:
            let shapes = node.elements.map { DocumentShape($0) }
            elements = shapes.isEmpty ? [] : [shapes.dropFirst().reduce(shapes[0]) { $0.merged($1) }]
        case .object:
            members = node.members.map { key, value in
                Member(name: key.stringValue ?? "", shape: DocumentShape(value), isAlways: true)
            }
        }
    }

    /// Whether the documents are objects with only this key.
    func hasOnly(_ name: String) -> Bool { members?.map(\.name) == [name] }

    subscript(_ name: String) -> DocumentShape? { members?.first { $0.name == name }?.shape }

    /// The shape that allows the documents of both shapes.
    func merged(_ other: DocumentShape) -> DocumentShape {
        var shape = self
        shape.kinds.formUnion(other.kinds)
        if let mine = elements, let others = other.elements {
            shape.elements = mine.isEmpty ? others : others.isEmpty ? mine : [mine[0].merged(others[0])]
        } else {
            shape.elements = elements ?? other.elements
        }
        guard let mine = members, let others = other.members else {
            shape.members = members ?? other.members
            return shape
        }
        shape.members = Self.merged(mine, others)
        return shape
    }

    private static func merged(_ mine: [Member], _ others: [Member]) -> [Member] {
        let known = mine.filter { $0.name != anyName }.map { member in
            guard let other = others.first(where: { $0.name == member.name }) else {
                return Member(name: member.name, shape: member.shape, isAlways: false)
            }
            return Member(
                name: member.name, shape: member.shape.merged(other.shape),
                isAlways: member.isAlways && other.isAlways)
        }
        let new = others.filter { other in !mine.contains { $0.name == other.name } }
        if let any = mine.first(where: { $0.name == anyName }) {
            let shape = new.reduce(any.shape) { $0.merged($1.shape) }
            return known + [Member(name: anyName, shape: shape, isAlways: true)]
        }
        return known + new.map { Member(name: $0.name, shape: $0.shape, isAlways: false) }
    }

    /// This shape without the required keys that `seen` lacks.
    func pruned(to seen: DocumentShape) -> DocumentShape {
        var shape = self
        if let mine = elements?.first, let others = seen.elements?.first {
            shape.elements = [mine.pruned(to: others)]
        }
        shape.members = members?.compactMap { member in
            if member.name == Self.anyName { return member }
            guard let other = seen[member.name] else { return member.isAlways ? nil : member }
            return Member(
                name: member.name, shape: member.shape.pruned(to: other), isAlways: member.isAlways)
        }
        return shape
    }

    // MARK: Comparing

    /// The differences between this shape, from the page, and the shape of the output: parts that the page
    /// does not allow, and parts of the page that are never printed. Each names its path.
    func objections(to seen: DocumentShape, at path: String = "") -> [String] {
        let place = path.isEmpty ? "the document" : "`\(path)`"
        var found = seen.kinds.subtracting(kinds).sorted().map { "\(place) may be a \($0), too" }
        if seen.elements != nil, elements == nil { found.append("\(place) may be an array, too") }
        if seen.members != nil, members == nil { found.append("\(place) may be an object, too") }
        if let mine = elements?.first, let others = seen.elements?.first {
            found += mine.objections(to: others, at: path + "[]")
        } else if elements?.isEmpty == true, seen.elements?.isEmpty == false {
            found.append("\(place) is not always empty")
        }
        guard let members, let others = seen.members else { return found }
        let dot = path.isEmpty ? "" : path + "."
        for member in members where member.name != Self.anyName {
            guard let other = others.first(where: { $0.name == member.name }) else {
                if member.isAlways { found.append("the key `\(dot)\(member.name)` is gone") }
                continue
            }
            if member.isAlways, !other.isAlways {
                found.append("the key `\(dot)\(member.name)` is not always there")
            }
            found += member.shape.objections(to: other.shape, at: dot + member.name)
        }
        let new = others.filter { other in !members.contains { $0.name == other.name } }
        guard let any = members.first(where: { $0.name == Self.anyName }) else {
            return found + new.map { "the key `\(dot)\($0.name)` is new" }
        }
        return found + new.flatMap { any.shape.objections(to: $0.shape, at: dot + $0.name) }
    }
}
