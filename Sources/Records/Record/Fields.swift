/// The fields of a record, sorted by name. Names are unique.
///
/// A sorted array replaces a dictionary because records have few fields, and because a fixed order encodes
/// equal fields to equal bytes.
public struct Fields: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    /// The names, sorted by their UTF-8 bytes.
    public private(set) var names: [String] = []
    /// The fields, in the order of `names`.
    public private(set) var values: [Field] = []

    /// Creates an empty collection.
    public init() {}

    /// Creates a collection of these fields. If a name occurs twice, the later value counts.
    public init(dictionaryLiteral elements: (String, Field)...) {
        for (name, field) in elements { self[name] = field }
    }

    /// Whether the collection has no fields.
    public var isEmpty: Bool { names.isEmpty }
    /// The number of fields.
    public var count: Int { names.count }

    /// The field with this name. Assigning nil removes it.
    public subscript(name: String) -> Field? {
        get { index(of: name).map { values[$0] } }
        set {
            let (index, found) = position(of: name)
            switch (found, newValue) {
            case (true, let field?): values[index] = field
            case (false, let field?) where index == names.count:
                names.append(name)
                values.append(field)
            case (false, let field?):
                names.insert(name, at: index)
                values.insert(field, at: index)
            case (true, nil):
                names.remove(at: index)
                values.remove(at: index)
            case (false, nil): break
            }
        }
    }

    /// The index of a name; nil if the collection does not have it.
    private func index(of name: String) -> Int? {
        // Whether two names are equal is decided faster than their order, mostly by the length alone.
        if names.count <= 16 {
            let length = name.utf8.count
            return names.firstIndex { $0.utf8.count == length && $0 == name }
        }
        let (index, found) = position(of: name)
        return found ? index : nil
    }

    /// The index of a name, and whether the collection has it. If not, the index is where it belongs.
    private func position(of name: String) -> (Int, Bool) {
        if let last = names.last, last.precedesInBytes(name) { return (names.count, false) }
        var low = 0
        var high = names.count
        while low < high {
            let middle = (low + high) / 2
            if names[middle].precedesInBytes(name) { low = middle + 1 } else { high = middle }
        }
        return (low, low < names.count && names[low] == name)
    }
}

extension Fields: Sequence {
    /// Iterates over pairs of name and field, sorted by name.
    public func makeIterator() -> Zip2Sequence<[String], [Field]>.Iterator {
        zip(names, values).makeIterator()
    }
}

extension String {
    /// Whether this string sorts before the other by UTF-8 bytes, the order that stores use.
    package func precedesInBytes(_ other: String) -> Bool {
        utf8.lexicographicallyPrecedes(other.utf8)
    }
}
