/// The fields of a record, ordered by name, each name once.
///
/// A sorted array rather than a dictionary: records have few fields, and a fixed order makes equal fields
/// equal bytes.
public struct Fields: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    /// Names in ascending order of their UTF-8 bytes.
    public private(set) var names: [String] = []
    /// The fields, in the order of `names`.
    public private(set) var values: [Field] = []

    /// No fields.
    public init() {}

    /// These fields; of two with one name, the later.
    public init(dictionaryLiteral elements: (String, Field)...) {
        for (name, field) in elements { self[name] = field }
    }

    /// Whether there is no field.
    public var isEmpty: Bool { names.isEmpty }
    /// The number of fields.
    public var count: Int { names.count }

    /// The field of that name; assigning nil removes it.
    public subscript(name: String) -> Field? {
        get {
            let (index, found) = position(of: name)
            return found ? values[index] : nil
        }
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
    /// Walks over names and fields, in ascending order of the names.
    public func makeIterator() -> Zip2Sequence<[String], [Field]>.Iterator {
        zip(names, values).makeIterator()
    }
}

extension String {
    /// Whether this string's UTF-8 bytes come before the other's: the order in which stores keep strings.
    package func precedesInBytes(_ other: String) -> Bool {
        utf8.lexicographicallyPrecedes(other.utf8)
    }
}
