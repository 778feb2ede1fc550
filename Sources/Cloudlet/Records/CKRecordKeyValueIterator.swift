/// Iterates over the plain fields of a record, in ascending order of their names.
public struct CKRecordKeyValueIterator: IteratorProtocol {
    /// A field name and its value.
    public typealias Element = (CKRecord.FieldKey, any CKRecordValueProtocol)

    private var remaining: ArraySlice<Element>

    init(_ fields: [CKRecord.FieldKey: any __CKRecordObjCValue]) {
        remaining = fields.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }[...]
    }

    /// The next field; nil after the last one.
    public mutating func next() -> (CKRecord.FieldKey, any CKRecordValueProtocol)? {
        remaining.popFirst()
    }
}
