/// One difference between an old schema and a new one.
package struct SchemaDifference: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable {
        case added
        case removed
        /// A field holds other values, or holds them encrypted.
        case typeChanged
        case indexesChanged
        /// A type allows roles something else.
        case grantsChanged
    }

    package var kind: Kind
    package var part: SchemaSource.Part

    package init(_ kind: Kind, _ part: SchemaSource.Part) {
        self.kind = kind
        self.part = part
    }
}
