package import Records

extension Optional<Field> {
    /// Whether both have the same bytes. `==` alone is not enough: it takes texts in different normal forms
    /// for equal.
    package func isIdentical(to other: Field?) -> Bool {
        guard let self, let other else { return (self == nil) == (other == nil) }
        guard self.isEncrypted == other.isEncrypted, self.value.type == other.value.type else { return false }
        let (old, new) = (self.value.elements, other.value.elements)
        return old.count == new.count && zip(old, new).allSatisfy { $0.isIdentical(to: $1) }
    }
}

extension FieldValue {
    /// Texts are compared by their bytes only: `==` would bring them into a normal form first.
    fileprivate func isIdentical(to other: FieldValue) -> Bool {
        if case (.string(let text), .string(let otherText)) = (self, other) {
            return text.utf8.elementsEqual(otherText.utf8)
        }
        return self == other && sortValue == other.sortValue
    }
}
