import Records

extension RecordOperation {
    /// Decodes an operation dictionary. Members that only the server sets (`created`, `modified`, `deleted`,
    /// …) are ignored.
    ///
    /// Forced saves ignore change tags, so a tag that a client sends with one is dropped. Cloudlet's own
    /// client can set `mustExist`: then the tag is kept and means that the record must exist.
    init(_ node: JSONNode, home: ZoneID?) throws(RecordError) {
        let dictionary = try node.object()
        let type = try dictionary.required("operationType")
        guard let kind = Kind(rawValue: try type.string()) else {
            throw type.unexpected(
                nextStep: "use \(Kind.allCases.map(\.rawValue).joined(separator: ", "))"
            )
        }
        let record = try dictionary.required("record").object()
        self.init(kind, recordName: try record["recordName"]?.string())
        if kind != .create, recordName == nil { throw record.missing("recordName") }
        recordType = try record["recordType"]?.string()
        if !kind.isDelete {
            share = try ShareDraft.read(record, type: recordType).map { .save($0) }
            // `createShortGuid` is the spelling of CKTool.
            let isWanted = try record.flag("createShortGUID")
            wantsShortGUID = try record.flag("createShortGuid") || isWanted
        }
        changeTag = try record["recordChangeTag"].map { (tag) throws(RecordError) in
            ChangeTag(text: try tag.string())
        }
        if kind.isForced, try dictionary["cloudlet"]?.flag("mustExist") != true { changeTag = nil }
        zone = try record.zone("zoneID")
        if let fields = record["fields"] {
            let changes = try FieldChanges(fields.object(), home: zone ?? home ?? .default)
            self.fields = changes.fields
            removedFields = changes.removed
        }
        guard let parent = record.member("parent") else { return }
        self.parent =
            try parent["recordName"].map { (name) throws(RecordError) in
                .set(try name.string())
            } ?? .remove
    }

    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("operationType", kind.rawValue)
        if kind.isForced, changeTag != nil {
            json.key("cloudlet")
            json.beginObject()
            json.member("mustExist", true)
            json.endObject()
        }
        json.key("record")
        json.beginObject()
        json.member("recordName", recordName)
        json.member("recordType", recordType)
        json.member("recordChangeTag", changeTag?.text)
        json.member("zoneID", zone)
        if case .save(let draft)? = share { draft.writeMembers(to: &json) }
        json.flag("createShortGUID", wantsShortGUID)
        writeFields(to: &json)
        switch parent {
        case .keep: break
        case .remove:
            json.key("parent")
            json.null()
        case .set(let name):
            json.key("parent")
            json.beginObject()
            json.member("recordName", name)
            json.endObject()
        }
        json.endObject()
        json.endObject()
    }

    private func writeFields(to json: inout JSONWriter) {
        guard !fields.isEmpty || !removedFields.isEmpty else { return }
        json.key("fields")
        json.beginObject()
        var writer = FieldWriter(form: .request)
        writer.write(fields, to: &json)
        for name in removedFields {
            json.key(name)
            json.append("{\"value\":null")
            json.endObject()
        }
        json.endObject()
    }
}

extension RecordOperation.Kind {
    /// Whether the operation saves regardless of the change tag.
    fileprivate var isForced: Bool { self == .forceUpdate || self == .forceReplace }
}
