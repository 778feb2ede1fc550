import Records

/// The meaning of a type tag in a request.
struct TypeTag {
    /// The field type; nil for a list whose elements determine the type.
    var type: FieldType?
    /// Whether it is `ENCRYPTED_BYTES`, the only tag that implies encryption.
    var isEncrypted = false

    /// Decodes the documented tags and those that known clients send.
    init(_ node: JSONNode) throws(RecordError) {
        guard let tag = Self.known.first(where: { node.equals($0.name) }) else {
            throw node.unexpected(nextStep: "use one of the types STRING, INT64, DOUBLE, … or their lists")
        }
        self = tag.meaning
    }

    private init(_ type: FieldType?, isEncrypted: Bool = false) {
        self.type = type
        self.isEncrypted = isEncrypted
    }

    private static let known: [(name: StaticString, meaning: TypeTag)] = [
        ("STRING", TypeTag(.scalar(.string))),
        ("INT64", TypeTag(.scalar(.int64))),
        ("TIMESTAMP", TypeTag(.scalar(.timestamp))),
        ("REFERENCE", TypeTag(.scalar(.reference))),
        ("LOCATION", TypeTag(.scalar(.location))),
        ("DOUBLE", TypeTag(.scalar(.double))),
        ("ASSETID", TypeTag(.scalar(.asset))),
        ("BYTES", TypeTag(.scalar(.bytes))),
        ("STRING_LIST", TypeTag(.list(.string))),
        ("INT64_LIST", TypeTag(.list(.int64))),
        ("DOUBLE_LIST", TypeTag(.list(.double))),
        ("TIMESTAMP_LIST", TypeTag(.list(.timestamp))),
        ("BYTES_LIST", TypeTag(.list(.bytes))),
        ("REFERENCE_LIST", TypeTag(.list(.reference))),
        ("ASSETID_LIST", TypeTag(.list(.asset))),
        ("LOCATION_LIST", TypeTag(.list(.location))),
        ("UNKNOWN_LIST", TypeTag(nil)),
        ("ENCRYPTED_BYTES", TypeTag(.scalar(.bytes), isEncrypted: true)),
        ("NUMBER_INT64", TypeTag(.scalar(.int64))),
        ("NUMBER_DOUBLE", TypeTag(.scalar(.double))),
        ("ASSET", TypeTag(.scalar(.asset))),
        ("ASSET_LIST", TypeTag(.list(.asset))),
    ]
}
