package import Records

extension BatchRules {
    /// Returns the record after a save, without a sequence number yet.
    func merge(
        _ operation: RecordOperation, id: RecordID, into old: WrittenRecord?, of batch: WriteBatch
    ) throws -> WrittenRecord {
        guard let type = old?.stored.type ?? operation.recordType else {
            throw RecordError(
                .badRequest, "recordType is required to create a record", culprit: id.name,
                nextStep: "name the record type in the operation"
            )
        }
        var fields = try fields(after: operation, on: old, in: id.zone)
        if let old, type == Share.recordType, batch.participant != nil {
            try keepZoneKey(of: old, in: &fields, given: operation)
        }
        let bytes = codec.encode(fields)
        if bytes.bytes.count > batch.limits.recordBytes {
            throw RecordError(
                .limitExceeded,
                "record is \(bytes.bytes.count) bytes, more than the maximum of \(batch.limits.recordBytes)",
                culprit: id.name, nextStep: "move large values into assets"
            )
        }
        let stored = StoredRecord(
            id: id, type: type, fields: bytes, created: old?.stored.created ?? batch.stamp,
            modified: batch.stamp,
            sequence: 0,
            parent: operation.parent(after: old?.stored, byParticipant: batch.participant != nil),
            sharing: old?.stored.sharing, shortGUID: old?.stored.shortGUID
        )
        return WrittenRecord(stored: stored, fields: fields, ordinal: old?.ordinal ?? 0)
    }

    private func fields(
        after operation: RecordOperation, on old: WrittenRecord?, in zone: ZoneID
    ) throws -> Fields {
        var fields: Fields
        if let old, !operation.kind.isReplace {
            fields = old.fields
            for (name, field) in operation.fields { fields[name] = field }
        } else {
            fields = operation.fields
        }
        for (name, field) in operation.fields where field.value.type.element == .reference {
            fields[name]?.value = try ReferenceRules.localized(field.value, in: zone, field: name)
        }
        for name in operation.removedFields { fields[name] = nil }
        if let old { keepSizes(of: old, in: &fields, given: operation.fields) }
        return fields
    }

    /// Keeps the key of the zone in a share that an administrator saves. Throws `accessDenied` if the
    /// administrator changes it: others would encrypt values that the owner could not read.
    private func keepZoneKey(
        of share: WrittenRecord, in fields: inout Fields, given operation: RecordOperation
    ) throws(RecordError) {
        let (name, key) = (Share.zoneKeyField, share.fields[Share.zoneKeyField])
        let isRemoved = key != nil && operation.removedFields.contains(name)
        let isChanged = operation.fields[name].map { $0 != key } ?? false
        if isRemoved || isChanged {
            throw RecordError(
                .accessDenied, "only the owner may change the key of the zone in a share", culprit: name,
                nextStep: "save the share without this field")
        }
        fields[name] = key
    }

    /// Keeps the recorded size of files that the record already had, whatever size the operation states.
    private func keepSizes(of old: WrittenRecord, in fields: inout Fields, given: Fields) {
        let names = given.names.filter { given[$0]?.value.type.element == .asset }
        if names.isEmpty || old.stored.fields.assetSlots.isEmpty { return }
        var known: [String: Asset] = [:]
        for field in old.fields.values {
            for case .asset(let asset) in field.value.elements { known[asset.fileChecksum] = asset }
        }
        for name in names {
            guard let value = fields[name]?.value else { continue }
            let elements = value.elements.map { element -> FieldValue in
                guard case .asset(let asset) = element, let own = known[asset.fileChecksum] else {
                    return element
                }
                return .asset(own)
            }
            if case .list(let type, _) = value {
                fields[name]?.value = .list(type, elements)
            } else if let element = elements.first {
                fields[name]?.value = element
            }
        }
    }
}

extension RecordOperation {
    /// The parent of the record after the operation. A participant does not see the parent of the root of a
    /// share, so no save of a participant changes it.
    package func parent(after old: StoredRecord?, byParticipant isParticipant: Bool) -> String? {
        if isParticipant, let old, old.sharing?.shareName != nil { return old.parent }
        return switch parent {
        case .keep: kind.isReplace ? nil : old?.parent
        case .set(let name): name
        case .remove: nil
        }
    }
}
