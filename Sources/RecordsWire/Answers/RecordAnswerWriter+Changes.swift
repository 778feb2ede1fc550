package import Records

extension RecordAnswerWriter {
    /// Writes the changes of a feed, restricted to `types` if given.
    package func write(_ changes: PackedChanges, ofTypes types: [String]? = nil, to json: inout JSONWriter) {
        var zone = JSONWriter()
        changes.zone.write(to: &zone, defaultOwner: context.owner)
        let zoneJSON = zone.bytes
        let types = types.map(Set.init)
        json.makeRoom(for: changes.byteCount + changes.count * (Self.typicalMetadataBytes + zoneJSON.count))
        changes.forEach { change in
            if types?.contains(change.type) == false { return }
            if passesFields, let fields = change.fields {
                let head = change.head
                if !head.hasSlots, !head.hasSharing { return copy(change, head, fields, zoneJSON, to: &json) }
            }
            write(change.value, to: &json)
        }
    }

    /// The typical size in bytes of a record's metadata in an answer.
    private static let typicalMetadataBytes = 320

    private func write(_ change: Change, to json: inout JSONWriter) {
        switch change {
        case .saved(let record): write(record, to: &json)
        case .deleted(let id, let type, let sequence):
            writeTombstone(id, type: type, changeTag: ChangeTag(sequence: sequence), to: &json)
        }
    }

    /// Copies a record's stored bytes into the answer. The result equals that of `write(_: StoredRecord)`.
    private func copy(
        _ change: PackedChange, _ head: RecordHead, _ fields: UnsafeRawBufferPointer, _ zoneJSON: [UInt8],
        to json: inout JSONWriter
    ) {
        json.literal("{\"recordName\":")
        json.continuingString(change.name)
        json.append(",\"recordType\":")
        json.continuingString(change.type)
        json.append(",\"fields\":")
        json.append(fields)
        json.append(",\"pluginFields\":{},\"recordChangeTag\":")
        json.continues()
        json.tag(context.shown(change.sequence))
        json.append(",\"created\":{\"timestamp\":")
        json.writeStamp(head.created, head.bytes(of: .creator), head.bytes(of: .creatorDevice))
        json.append(",\"modified\":{\"timestamp\":")
        json.writeStamp(head.modified, head.bytes(of: .modifier), head.bytes(of: .modifierDevice))
        json.append(",\"deleted\":false,\"zoneID\":")
        json.append(zoneJSON[...])
        if let parent = head.bytes(of: .parent) {
            json.append(",\"parent\":{\"recordName\":")
            json.continuingString(parent)
            json.append("}")
        }
        json.append("}")
    }
}

extension JSONWriter {
    /// Writes the rest of a stamp: time, user record name and device.
    fileprivate mutating func writeStamp(
        _ time: Timestamp, _ person: UnsafeRawBufferPointer?, _ device: UnsafeRawBufferPointer?
    ) {
        continues()
        integer(time.milliseconds)
        append(",\"userRecordName\":")
        continuingString(person)
        append(",\"deviceID\":")
        if let device { continuingString(device) } else { continuingString(Stamp.cloudDevice) }
        append("}")
    }

    /// Writes UTF-8 bytes as a string; without bytes an empty string.
    fileprivate mutating func continuingString(_ bytes: UnsafeRawBufferPointer?) {
        continues()
        string(utf8: bytes ?? UnsafeRawBufferPointer(start: nil, count: 0))
    }
}
