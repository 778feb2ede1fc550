package import Records

extension FieldJSON {
    /// Copies the wanted fields member by member, in stored form.
    ///
    /// Throws `internalError` if the bytes are damaged.
    package func project(_ fields: FieldBytes, keeping keys: DesiredKeys) throws(RecordError) -> FieldBytes {
        var result = FieldBytes(bytes: [UInt8(ascii: "{")])
        var slots = fields.assetSlots[...]
        do throws(JSONFault) {
            var members = StoredMembers()
            while let (name, member) = try members.next(in: fields.bytes.span) {
                let inside = slots.prefix { $0.offset < member.upperBound }
                slots = slots.dropFirst(inside.count)
                guard keys.contain(fields.bytes[name]) else { continue }
                if result.bytes.count > 1 { result.bytes.append(UInt8(ascii: ",")) }
                let shift = result.bytes.count - member.lowerBound
                result.bytes.append(contentsOf: fields.bytes[member])
                for var slot in inside {
                    slot.offset += shift
                    result.assetSlots.append(slot)
                }
            }
        } catch {
            let place = "byte \(error.offset)"
            throw RecordError(.internalError, "the stored fields are damaged", culprit: place)
        }
        result.bytes.append(UInt8(ascii: "}"))
        return result
    }
}
