extension FieldType {
    /// The number that stands for the type in a file: the scalar type's, plus 100 for a list of it.
    package var kind: Int64 { Int64(element.rawValue) + (isList ? 100 : 0) }

    package init?(kind: Int64) {
        guard let scalar = ScalarType(rawValue: UInt8(clamping: kind % 100)) else { return nil }
        self = kind >= 100 ? .list(scalar) : .scalar(scalar)
    }
}
