package import Records

/// Fields as the text of the `fields` object of an answer, names in byte order.
///
/// `{"cover":{"value":{"fileChecksum":"A","size":5},"type":"ASSETID"},"title":{"value":"x","type":"STRING"}}`
///
/// Equal fields have equal bytes. What belongs to one request or one answer only is not part of them: an
/// asset's receipt is left out, and its address is inserted at its slot, in front of the closing brace of the
/// asset, by `splice`.
package struct FieldJSON: FieldCodec {
    package init() {}

    package func encode(_ fields: Fields) -> FieldBytes {
        encode(fields, numbersAsStrings: false)
    }

    /// The same with numbers as the request's `numbersAsStrings` wants them.
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

    /// Appends the fields to an answer, the addresses of assets spliced in.
    ///
    /// `address` gives the address for an asset, or nil to leave it out.
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
