import Records

/// Writes field dictionaries: value, type, and `isEncrypted` if it is true and the type does not imply it.
struct FieldWriter {
    /// The form of assets.
    enum Form {
        /// For stores and answers: without receipt; `splice` inserts the URL.
        case stored
        /// For requests: with the receipt of the upload.
        case request
    }

    var form: Form
    var numbersAsStrings = false
    /// The positions for asset URLs, in ascending order.
    private(set) var slots: [FieldBytes.AssetSlot] = []

    init(form: Form, numbersAsStrings: Bool = false) {
        self.form = form
        self.numbersAsStrings = numbersAsStrings
    }

    /// Writes the members of a `fields` object.
    mutating func write(_ fields: Fields, to json: inout JSONWriter) {
        for (name, field) in fields {
            json.key(name)
            write(field, named: name, to: &json)
        }
    }

    /// Writes one field dictionary.
    mutating func write(_ field: Field, named name: String, to json: inout JSONWriter) {
        json.beginObject()
        json.append("\"value\":")
        write(field.value, named: name, to: &json)
        if field.isEncryptedBytes, case .bytes = field.value {
            json.append(",\"type\":\"ENCRYPTED_BYTES\"")
            return json.endObject()
        }
        json.append(",\"type\":\"")
        json.append(field.value.type.element.name)
        if field.value.type.isList { json.append("_LIST") }
        json.append(field.isEncrypted ? "\",\"isEncrypted\":true" : "\"")
        json.endObject()
    }

    /// Writes a value without its dictionary.
    mutating func write(_ value: FieldValue, named name: String, to json: inout JSONWriter) {
        switch value {
        case .string(let text): json.string(text)
        case .int64(let number) where numbersAsStrings: json.string(String(number))
        case .int64(let number): json.integer(number)
        case .double(let number) where numbersAsStrings: json.string(number.description)
        case .double(let number): json.double(number)
        case .timestamp(let timestamp): json.integer(timestamp.milliseconds)
        case .bytes(let bytes): json.base64(bytes)
        case .reference(let reference): reference.write(to: &json)
        case .location(let location): location.write(to: &json)
        case .asset(let asset): write(asset, named: name, to: &json)
        case .list(_, let elements):
            json.beginArray()
            for element in elements { write(element, named: name, to: &json) }
            json.endArray()
        }
    }

    private mutating func write(_ asset: Asset, named name: String, to json: inout JSONWriter) {
        guard form == .stored else {
            asset.write(to: &json)
            return
        }
        var kept = asset
        kept.receipt = nil
        kept.write(to: &json)
        let place = json.count - 1
        slots.append(.init(offset: place, fieldName: name, fileChecksum: asset.fileChecksum))
    }
}
