/// Yields the keys and values of a record's plain fields, in ascending order of the keys.
public struct CKRecordKeyValueIterator: IteratorProtocol {
    /// A key and its value.
    public typealias Element = (CKRecord.FieldKey, any CKRecordValueProtocol)

    private var remaining: ArraySlice<Element>

    init(_ fields: [CKRecord.FieldKey: any __CKRecordObjCValue]) {
        remaining = fields.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }[...]
    }

    /// The next field, or nil after the last.
    public mutating func next() -> (CKRecord.FieldKey, any CKRecordValueProtocol)? {
        remaining.popFirst()
    }
}
