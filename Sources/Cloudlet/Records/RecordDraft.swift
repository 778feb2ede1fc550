import Foundation
internal import Records
internal import RecordsWire

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

    /// Throws `CKError.invalidArguments` for what no server would accept, `.limitExceeded` for too much.
    init(
        _ record: CKRecord, policy: CKModifyRecordsOperation.RecordSavePolicy, limits: Limits = Limits(),
        cipher: FieldCipher? = nil
    ) throws {
        self.record = record
        self.policy = policy
        sent = record.state.current
        operation = RecordOperation(Self.kind(sent, policy))
        operation.recordName = sent.id.recordName
        operation.recordType = sent.type
        operation.changeTag = sent.changeTag.map { ChangeTag(text: $0) }
        try Self.checkName(sent.id, limits)
        guard !sent.type.isEmpty else { throw refusal("It has no record type.") }
        try addFields(sent.fields, changed: sent.changedKeys, isEncrypted: false)
        try addFields(
            sent.encryptedFields, changed: sent.changedEncryptedKeys, isEncrypted: true, cipher: cipher)
        try addParent()
        try checkSize(limits)
    }

    /// A forced save with a change tag asks that the record must exist: what was fetched and then deleted by
    /// somebody else must not come back as a record of its changed keys.
    private static func kind(
        _ state: CKRecord.State, _ policy: CKModifyRecordsOperation.RecordSavePolicy
    ) -> RecordOperation.Kind {
        switch policy {
        case .ifServerRecordUnchanged: state.changeTag == nil ? .create : .update
        case .changedKeys, .allKeys: .forceUpdate
        }
    }

    /// Names that no record can have.
    static func checkName(_ id: CKRecordID, _ limits: Limits) throws {
        let limit = limits.nameCharacters
        guard (1...limit).contains(id.recordName.count) else {
            throw CKError.invalidArguments("A record name has 1 to \(limit) characters: '\(id.recordName)'.")
        }
    }

    private mutating func addFields(
        _ fields: [String: any __CKRecordObjCValue], changed: Set<String>, isEncrypted: Bool,
        cipher: FieldCipher? = nil
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
                let plain = try value(object, key: key)
                let sealed = try cipher?.seal(object, of: sent.id, field: key)
                operation.fields[key] = Field(sealed ?? plain, isEncrypted: isEncrypted)
            }
        }
    }

    private func value(_ object: any __CKRecordObjCValue, key: String) throws -> FieldValue {
        do throws(FieldRefusal) {
            guard let value = FieldValue(object) else { throw FieldRefusal("the value cannot be stored") }
            return try value.checked(home: ZoneID(sent.id.zoneID))
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

    /// Only fields that may come near the limit are spelled out and counted.
    private func checkSize(_ limits: Limits) throws {
        var longest = 0
        for (name, field) in operation.fields { longest += 6 * name.utf8.count + field.value.longestSpelling }
        guard longest > limits.recordBytes else { return }
        let size = FieldJSON().encode(operation.fields).bytes.count
        guard size > limits.recordBytes else { return }
        throw CKError.recordTooLarge(sent.id.recordName, bytes: size, limit: limits.recordBytes)
    }

    private func refusal(_ text: String) -> CKError {
        .invalidArguments("The record '\(sent.id.recordName)' cannot be saved. \(text)")
    }
}
