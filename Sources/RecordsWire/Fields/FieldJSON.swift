package import Records

/// The stored form of fields: the text of an answer's `fields` object, with names sorted by their bytes.
///
/// `{"cover":{"value":{"fileChecksum":"A","size":5},"type":"ASSETID"},"title":{"value":"x","type":"STRING"}}`
///
/// Equal fields have equal bytes. The stored form has neither the receipt of an asset, which only the request
/// needs, nor its download URL: `splice` inserts the URL at the asset's slot, before the closing brace.
package struct FieldJSON: FieldCodec {
    package init() {}

    package func encode(_ fields: Fields) -> FieldBytes {
        encode(fields, numbersAsStrings: false)
    }

    /// Encodes fields, with numbers as strings if the request has `numbersAsStrings`.
    package func encode(_ fields: Fields, numbersAsStrings: Bool) -> FieldBytes {
        var json = JSONWriter(capacity: 64 * fields.count + 2)
        var writer = FieldWriter(form: .stored, numbersAsStrings: numbersAsStrings)
        json.beginObject()
        writer.write(fields, to: &json)
        json.endObject()
        return FieldBytes(bytes: json.bytes, assetSlots: writer.slots)
    }

    package func decode(_ bytes: FieldBytes) throws(RecordError) -> Fields {
        do throws(RecordError) {
            return try FieldChanges(try JSONDocument(bytes.bytes).root.object(), home: nil).fields
        } catch {
            throw RecordError(.internalError, "the stored fields are damaged", culprit: error.culprit)
        }
    }

    /// Appends the fields to an answer and inserts the download URLs of assets.
    ///
    /// `address` returns the URL of an asset; nil omits it.
    package func splice(
        _ fields: FieldBytes,
        into json: inout JSONWriter,
        address: (FieldBytes.AssetSlot) -> String?
    ) {
        guard !fields.assetSlots.isEmpty else {
            json.value(fields.bytes)
            return
        }
        json.literal("")
        var at = 0
        for slot in fields.assetSlots where slot.offset >= at && slot.offset <= fields.bytes.count {
            json.append(fields.bytes[at..<slot.offset])
            at = slot.offset
            guard let address = address(slot) else { continue }
            json.key("downloadURL")
            json.string(address)
        }
        json.append(fields.bytes[at...])
    }
}
