package import Records

/// Look-up structures over the values of one record. Each is built for the first condition that needs it, and
/// shared by all conditions on the record.
///
/// The cost of a condition on a list or of a search then depends on the condition's values only. Without
/// them, a list of 10,000 elements would be scanned for each value of each subscription.
package struct RecordLookups: Sendable {
    package let record: WrittenRecord
    /// The record type. Searches find words only in the fields that are searchable here.
    private let type: TypeSchema?
    private let hasWords: Bool
    private var elements: [QueryKey: Set<Element>] = [:]
    private var texts: [QueryKey: [String]] = [:]
    private var words: [String: Set<String>] = [:]
    private var searchableWords: Set<String>?

    /// - Parameter hasWords: false for a record in whose texts no search finds a word, because splitting them
    ///   would take too long.
    package init(_ record: WrittenRecord, type: TypeSchema?, hasWords: Bool = true) {
        self.record = record
        self.type = type
        self.hasWords = hasWords
    }

    /// A value in comparable form: references by zone and record name, other values as in an index. Names and
    /// texts are compared by their bytes.
    enum Element: Hashable, Sendable {
        case reference(zone: SortValue, name: SortValue)
        case value(SortValue)

        /// Nil for values that equal no other value, such as locations. `home` is the zone of references that
        /// name no zone.
        init?(_ value: FieldValue, home: String) {
            if case .reference(let reference) = value {
                let zone = reference.zone?.name ?? home
                self = .reference(zone: .text(zone), name: .text(reference.recordName))
            } else {
                let value = value.sortValue
                if value == .missing { return nil }
                self = .value(value)
            }
        }
    }

    /// The elements of a list field, or the value of another field as the only element.
    mutating func elements(of value: FieldValue, under key: QueryKey) -> Set<Element> {
        if let known = elements[key] { return known }
        let home = record.stored.id.zone.name
        let found = Set(value.elements.compactMap { Element($0, home: home) })
        elements[key] = found
        return found
    }

    /// Whether an element of the list field begins with the bytes of `prefix`.
    mutating func hasElement(of value: FieldValue, under key: QueryKey, beginningWith prefix: String) -> Bool
    {
        let sorted = texts[key] ?? value.elements.compactMap(\.text).sorted { $0.precedesInBytes($1) }
        texts[key] = sorted
        // If any text begins with the prefix, the first one that does not sort before the prefix does.
        var (low, high) = (0, sorted.count)
        while low < high {
            let middle = (low + high) / 2
            if sorted[middle].precedesInBytes(prefix) { low = middle + 1 } else { high = middle }
        }
        return low < sorted.count && sorted[low].utf8.starts(with: prefix.utf8)
    }

    /// The words of a field; empty if it is encrypted or not searchable.
    mutating func words(of name: String) -> Set<String> {
        if let known = words[name] { return known }
        var found: Set<String> = []
        if hasWords, let field = record.fields[name], let text = type?.searchableText(name, field) {
            found = Set(textTokens(text))
        }
        words[name] = found
        return found
    }

    /// The words of all searchable fields.
    mutating func wordsOfSearchableFields() -> Set<String> {
        if let searchableWords { return searchableWords }
        var found: Set<String> = []
        for name in record.fields.names where type?.fields[name]?.isSearchable == true {
            found.formUnion(words(of: name))
        }
        searchableWords = found
        return found
    }
}

extension FieldValue {
    fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }
}
