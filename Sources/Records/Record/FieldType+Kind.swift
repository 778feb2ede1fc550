extension FieldType {
    /// The number under which a file stores the type: the number of the scalar type, plus 100 for a list.
    package var kind: Int64 { Int64(element.rawValue) + (isList ? 100 : 0) }

    package init?(kind: Int64) {
        guard let scalar = ScalarType(rawValue: UInt8(clamping: kind % 100)) else { return nil }
        self = kind >= 100 ? .list(scalar) : .scalar(scalar)
    }
}
