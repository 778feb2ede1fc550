package import Records

/// The work of removing values of a record from the indexes of a store, which is done value by value.
package struct IndexCost: Hashable, Sendable {
    /// Elements of lists, each of which has an index row.
    package var elements = 0
    /// Bytes of fields whose words are in the full-text index.
    package var bytes = 0

    package init(elements: Int = 0, bytes: Int = 0) {
        self.elements = elements
        self.bytes = bytes
    }

    /// The cost of removing the values of `old` that `new` does not have.
    package init(removing old: Fields, keeping new: Fields = Fields()) {
        for (name, field) in old {
            let type = field.value.type
            guard type.isList || type == .scalar(.string) else { continue }
            if Optional(field).isIdentical(to: new[name]) { continue }
            let values = field.value.elements
            if type.isList { elements += values.count }
            for case .string(let text) in values { bytes += text.utf8.count }
        }
    }
}

/// Limits the index work of the deletions and changes of one request together. The work is done in one
/// transaction, and all other writers of the database wait meanwhile.
package struct IndexBudget: Hashable, Sendable {
    private var spent = IndexCost()
    /// Bytes of the searchable texts whose words are written to an index or removed from it.
    private(set) var textBytes = 0
    /// Records that were put under shares or taken out of them.
    private var moves = 0
    private let limits: Limits

    package init(_ limits: Limits) {
        self.limits = limits
    }

    /// Adds a cost. Throws `limitExceeded` if the sum exceeds a limit. The first record always fits, so that
    /// every saved record can be deleted.
    ///
    /// - Parameters:
    ///   - name: the record that the error names.
    ///   - next: the next step that the error names.
    package mutating func spend(_ cost: IndexCost, on name: String, next: String) throws(RecordError) {
        let elements = spent.elements + cost.elements
        let bytes = spent.bytes + cost.bytes
        let fits = elements <= limits.elementsPerRequest && bytes <= limits.requestBytes
        guard fits || spent == IndexCost() else {
            throw RecordError(
                .limitExceeded,
                "the records that one request deletes or changes have more than "
                    + "\(limits.elementsPerRequest) list elements (elementsPerRequest) or "
                    + "\(limits.requestBytes) bytes of texts (requestBytes) together",
                culprit: name, nextStep: next)
        }
        spent = IndexCost(elements: elements, bytes: bytes)
    }

    /// Adds bytes of searchable texts, as `spend` does. The first record with such texts always fits.
    package mutating func spendTexts(_ bytes: Int, on name: String, next: String) throws(RecordError) {
        let most = limits.searchableBytesPerRequest
        guard bytes == 0 || textBytes == 0 || textBytes + bytes <= most else {
            throw RecordError(
                .limitExceeded,
                "the records that one request saves or deletes have more than \(most) bytes of searchable "
                    + "texts (searchableBytesPerRequest) together",
                culprit: name, nextStep: next)
        }
        textBytes += bytes
    }

    /// Adds records that come under a share or leave one, as `spend` does. The first operation that moves
    /// records always fits, so that every saved record can be shared.
    mutating func spendMoves(_ count: Int, on name: String, next: String) throws(RecordError) {
        let most = limits.movedRecords
        guard moves == 0 || moves + count <= most else {
            throw RecordError(
                .limitExceeded,
                "one request puts more than \(most) records (movedRecords) under shares or takes them out",
                culprit: name, nextStep: next)
        }
        moves += count
    }

    /// Takes back the searchable texts of a deletion that was refused, because their words stay in the index.
    mutating func restoreTextBytes(of earlier: IndexBudget) { textBytes = earlier.textBytes }
}
