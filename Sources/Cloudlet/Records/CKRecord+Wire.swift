// Owns the translation between the records of apps and those of the server.

import Foundation
internal import Records

extension CKRecord {
    /// A record as the server answers it: nothing changed, every asset still to be downloaded.
    convenience init(_ record: Record, context: WireContext) {
        var state = State(type: record.type, id: context.recordID(record.id))
        state.adoptMetadata(of: record, context: context)
        for (name, field) in record.fields {
            let object = context.object(field.value, home: record.id.zone)
            if field.isEncrypted { state.encryptedFields[name] = object } else { state.fields[name] = object }
        }
        state.baseFields = state.fields
        state.baseEncryptedFields = state.encryptedFields
        self.init(state: state)
    }

    /// The version that this record's changes started from, when it is known.
    var ancestor: CKRecord? {
        var state = state.current
        guard state.changeTag != nil, let fields = state.baseFields else { return nil }
        state.fields = fields
        state.encryptedFields = state.baseEncryptedFields ?? [:]
        state.changedKeys = []
        state.changedEncryptedKeys = []
        state.isParentChanged = false
        return CKRecord(state: state)
    }

    /// Takes over what the server made of a save.
    ///
    /// The saved object itself becomes the saved version, so that it can be changed and saved again. A key
    /// that was set anew while the save was under way stays changed.
    func adopt(_ saved: Record, sent: State, context: WireContext) {
        state.withLock { state in
            state.adoptMetadata(of: saved, context: context)
            state.changedKeys = Self.stillChanged(state.changedKeys, now: state.fields, sent: sent.fields)
            state.changedEncryptedKeys = Self.stillChanged(
                state.changedEncryptedKeys, now: state.encryptedFields, sent: sent.encryptedFields)
            if state.parent == sent.parent { state.isParentChanged = false }
            state.baseFields = sent.fields
            state.baseEncryptedFields = sent.encryptedFields
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
    /// Version, dates and people, as the server says.
    fileprivate mutating func adoptMetadata(of record: Record, context: WireContext) {
        changeTag = record.changeTag?.text
        created = record.created?.at.date
        creator = record.created.map { context.userRecordID($0.by) }
        modified = record.modified?.at.date
        modifier = record.modified.map { context.userRecordID($0.by) }
        guard let parentName = record.parent else { return }
        parent = CKReference(recordID: CKRecordID(recordName: parentName, zoneID: id.zoneID), action: .none)
    }
}

/// A record on its way to the server: the operation without its assets, and the assets.
struct RecordDraft {
    /// One file that has to be sent before the record.
    struct Upload {
        var fieldName: String
        /// Where in a list field; nil in a field that holds one asset.
        var index: Int?
        var asset: CKAsset
    }

    let record: CKRecord
    let sent: CKRecord.State
    let policy: CKModifyRecordsOperation.RecordSavePolicy
    private(set) var operation: RecordOperation
    private(set) var uploads: [Upload] = []
    private var assetLists: [String: [Asset]] = [:]

    /// Throws `CKError.invalidArguments` for what no server would accept.
    init(_ record: CKRecord, policy: CKModifyRecordsOperation.RecordSavePolicy) throws {
        self.record = record
        self.policy = policy
        sent = record.state.current
        operation = RecordOperation(Self.kind(sent, policy))
        operation.recordName = sent.id.recordName
        operation.recordType = sent.type
        if policy == .ifServerRecordUnchanged {
            operation.changeTag = sent.changeTag.map { ChangeTag(text: $0) }
        }
        try Self.checkName(sent.id)
        guard !sent.type.isEmpty else { throw refusal("It has no record type.") }
        try addFields(sent.fields, changed: sent.changedKeys, isEncrypted: false)
        try addFields(sent.encryptedFields, changed: sent.changedEncryptedKeys, isEncrypted: true)
        try addParent()
    }

    private static func kind(
        _ state: CKRecord.State, _ policy: CKModifyRecordsOperation.RecordSavePolicy
    ) -> RecordOperation.Kind {
        switch policy {
        case .ifServerRecordUnchanged: state.changeTag == nil ? .create : .update
        case .changedKeys, .allKeys: .forceUpdate
        }
    }

    /// Names that no record can have.
    static func checkName(_ id: CKRecordID) throws {
        let limit = Limits().nameCharacters
        guard (1...limit).contains(id.recordName.count) else {
            throw CKError.invalidArguments("A record name has 1 to \(limit) characters: '\(id.recordName)'.")
        }
    }

    private mutating func addFields(
        _ fields: [String: any __CKRecordObjCValue], changed: Set<String>, isEncrypted: Bool
    ) throws {
        let keys = policy == .allKeys ? changed.union(fields.keys) : changed
        for key in keys.sorted() {
            guard FieldKeys.canBeSaved(key) else {
                throw refusal("'\(key)' is no field name: a letter, then letters, digits and _.")
            }
            guard let object = fields[key] else {
                operation.removedFields.append(key)
                continue
            }
            if let refused = object as? RefusedValue { throw refusal("Field '\(key)': \(refused.reason).") }
            if let assets = assets(in: object) {
                addAssets(assets, key: key, isList: object is NSArray, isChanged: changed.contains(key))
            } else {
                operation.fields[key] = Field(try value(object, key: key), isEncrypted: isEncrypted)
            }
        }
    }

    private func value(_ object: any __CKRecordObjCValue, key: String) throws -> FieldValue {
        do throws(FieldRefusal) {
            guard let plain = PlainValue(object) else { throw FieldRefusal("the value cannot be stored") }
            return try plain.fieldValue(home: ZoneID(sent.id.zoneID))
        } catch {
            throw refusal("Field '\(key)': \(error.reason).")
        }
    }

    private func assets(in object: any __CKRecordObjCValue) -> [CKAsset]? {
        if let asset = object as? CKAsset { return [asset] }
        guard let array = object as? NSArray, array.count > 0 else { return nil }
        let assets = array.compactMap { $0 as? CKAsset }
        return assets.count == array.count ? assets : nil
    }

    /// Assets that the server has are left out: a field that is not mentioned stays as it is.
    private mutating func addAssets(_ assets: [CKAsset], key: String, isList: Bool, isChanged: Bool) {
        guard isChanged || sent.changeTag == nil else { return }
        for (index, asset) in assets.enumerated() {
            uploads.append(Upload(fieldName: key, index: isList ? index : nil, asset: asset))
        }
    }

    private mutating func addParent() throws {
        guard sent.isParentChanged || (policy == .allKeys && sent.parent != nil) else { return }
        guard let parent = sent.parent else {
            operation.parent = .remove
            return
        }
        guard parent.action == .none else {
            throw refusal("The reference to its parent must have the action .none.")
        }
        guard parent.recordID.zoneID == sent.id.zoneID else {
            throw refusal("Its parent must be in the same zone.")
        }
        operation.parent = .set(parent.recordID.recordName)
    }

    /// Puts the receipt of an upload into its field; uploads of one list are given in order.
    mutating func place(_ asset: Asset, for upload: Upload) {
        guard upload.index != nil else {
            operation.fields[upload.fieldName] = Field(.asset(asset))
            return
        }
        assetLists[upload.fieldName, default: []].append(asset)
        let values = (assetLists[upload.fieldName] ?? []).map { FieldValue.asset($0) }
        operation.fields[upload.fieldName] = Field(.list(.asset, values))
    }

    private func refusal(_ text: String) -> CKError {
        .invalidArguments("The record '\(sent.id.recordName)' cannot be saved. \(text)")
    }
}
