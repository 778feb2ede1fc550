import Foundation
internal import Records

extension CKRecord {
    /// Creates a record from the server's answer. No key is changed, and no asset is downloaded.
    convenience init(_ record: Record, context: WireContext) {
        var state = State(type: record.type, id: context.recordID(record.id))
        state.adoptMetadata(of: record, context: context)
        for (name, field) in record.fields where name != Share.zoneKeyField {
            if field.isEncrypted {
                state.encryptedFields[name] = context.opened(field.value, of: record.id, field: name)
            } else {
                state.fields[name] = context.object(field.value, home: record.id.zone)
            }
        }
        state.baseFields = state.fields
        state.baseEncryptedFields = state.encryptedFields
        self.init(state: state)
    }

    /// The version that this record's changes are based on; nil if unknown.
    var ancestor: CKRecord? {
        var state = state.current
        guard state.changeTag != nil, let fields = state.baseFields else { return nil }
        state.fields = fields
        state.encryptedFields = state.baseEncryptedFields ?? [:]
        state.changedKeys = []
        state.changedEncryptedKeys = []
        state.isParentChanged = false
        guard let share = self as? CKShare else { return CKRecord(state: state) }
        return CKShare(state: state, sharing: share.sharing.withLock { $0.ancestor })
    }

    /// Updates the record after a successful save, so that it can be changed and saved again.
    ///
    /// A key that was assigned again while the save was in progress stays changed.
    ///
    /// - Parameters:
    ///   - saved: The server's answer.
    ///   - sent: The state that was sent.
    ///   - showsFields: Whether `saved` contains all fields of the record, as with the policies that ignore
    ///     the server's version. Values that others saved are then copied too.
    func adopt(_ saved: Record, sent: State, showsFields: Bool, context: WireContext) {
        let server = showsFields ? CKRecord(saved, context: context).state.current : nil
        state.withLock { state in
            let parent = state.parent
            state.adoptMetadata(of: saved, context: context)
            state.changedKeys = Self.stillChanged(state.changedKeys, now: state.fields, sent: sent.fields)
            state.changedEncryptedKeys = Self.stillChanged(
                state.changedEncryptedKeys, now: state.encryptedFields, sent: sent.encryptedFields)
            if parent == sent.parent { state.isParentChanged = false } else { state.parent = parent }
            state.baseFields = sent.fields
            state.baseEncryptedFields = sent.encryptedFields
            if let server { state.adoptFields(of: server, sent: sent) }
        }
    }

    private static func stillChanged(
        _ keys: Set<String>,
        now: [String: any __CKRecordObjCValue],
        sent: [String: any __CKRecordObjCValue]
    ) -> Set<String> {
        keys.filter { key in
            switch (now[key], sent[key]) {
            case (nil, nil): false
            case (let now?, let sent?): now !== sent
            default: true
            }
        }
    }
}

extension CKRecord.State {
    /// Copies the change tag, dates, people, share and parent from the server's record.
    mutating func adoptMetadata(of record: Record, context: WireContext) {
        changeTag = record.changeTag?.text
        created = record.created?.at.date
        creator = record.created.map { context.userRecordID($0.by) }
        modified = record.modified?.at.date
        modifier = record.modified.map { context.userRecordID($0.by) }
        share = record.sharing?.shareName.map { name in
            CKReference(recordID: CKRecordID(recordName: name, zoneID: id.zoneID), action: .none)
        }
        guard let parentName = record.parent else { return }
        parent = CKReference(recordID: CKRecordID(recordName: parentName, zoneID: id.zoneID), action: .none)
    }

    /// Copies the fields of the server's version, except keys that were changed since `sent`.
    fileprivate mutating func adoptFields(of server: CKRecord.State, sent: CKRecord.State) {
        let known = server.fields.map { key, value in
            (key, Self.keepingFiles(of: sent.fields[key], in: value, isSent: sent.changedKeys.contains(key)))
        }
        baseFields = Dictionary(uniqueKeysWithValues: known)
        baseEncryptedFields = server.encryptedFields
        fields = Self.merged(baseFields ?? [:], keeping: changedKeys, of: fields)
        encryptedFields = Self.merged(
            server.encryptedFields, keeping: changedEncryptedKeys, of: encryptedFields)
        if !isParentChanged { parent = server.parent }
    }

    private static func merged(
        _ server: [String: any __CKRecordObjCValue],
        keeping keys: Set<String>,
        of own: [String: any __CKRecordObjCValue]
    ) -> [String: any __CKRecordObjCValue] {
        var merged = server
        for key in keys { merged[key] = own[key] }
        return merged
    }

    /// Returns the value that was sent if its assets are those that the server has now, because it knows
    /// their local files; otherwise the server's value.
    private static func keepingFiles(
        of sent: (any __CKRecordObjCValue)?, in server: any __CKRecordObjCValue, isSent: Bool
    ) -> any __CKRecordObjCValue {
        let files = CKRecord.assets(in: server)
        guard let sent, !files.isEmpty else { return server }
        let own = CKRecord.assets(in: sent)
        let isSame = own.map(\.stored?.fileChecksum) == files.map(\.stored?.fileChecksum)
        return (isSent || isSame) && own.count == files.count ? sent : server
    }
}
