/// One difference between two versions of a schema.
package struct SchemaDifference: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable {
        case added
        case removed
        /// The type of a field changed, or its encryption.
        case typeChanged
        case indexesChanged
        /// The permissions on a record type changed.
        case grantsChanged
    }

    package var kind: Kind
    package var part: SchemaSource.Part

    package init(_ kind: Kind, _ part: SchemaSource.Part) {
        self.kind = kind
        self.part = part
    }
}
