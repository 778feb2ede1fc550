import Foundation
internal import Records
internal import RecordsWire

/// The save operation for one record, and the files to upload before it.
struct RecordDraft {
    /// A file to upload before the record is saved.
    struct Upload {
        var fieldName: String
        /// The position in a list field; nil in a field with one asset.
        var index: Int?
        var asset: CKAsset
    }

    let record: CKRecord
    let sent: CKRecord.State
    let policy: CKModifyRecordsOperation.RecordSavePolicy
    /// The terms that are sent; nil unless the record is a share.
    private(set) var sentTerms: CKShare.Sharing.Terms?
    private(set) var operation: RecordOperation
    private(set) var uploads: [Upload] = []
    private var assetLists: [String: [Asset]] = [:]

    /// Creates the operation from the record's current state.
    ///
    /// - Throws: `CKError.invalidArguments` if no server would accept the record, `.limitExceeded` if it is
    ///   too large.
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
        if let share = record as? CKShare { try addTerms(of: share, cipher) }
        try checkSize(limits)
    }

    /// The kind of operation for a save policy. A forced save with a change tag requires that the record
    /// exists: if somebody deleted the record after it was fetched, a save must not create it again from its
    /// changed keys.
    private static func kind(
        _ state: CKRecord.State, _ policy: CKModifyRecordsOperation.RecordSavePolicy
    ) -> RecordOperation.Kind {
        switch policy {
        case .ifServerRecordUnchanged: state.changeTag == nil ? .create : .update
        case .changedKeys, .allKeys: .forceUpdate
        }
    }

    /// Throws `CKError.invalidArguments` if the name is empty or too long.
    static func checkName(_ id: CKRecordID, _ limits: Limits) throws {
        let limit = limits.nameCharacters
        guard (1...limit).contains(id.recordName.count) else {
            throw CKError.invalidArguments(
                "A record name has 1 to \(limit) characters, and '\(id.recordName)' has"
                    + " \(id.recordName.count) - choose another name")
        }
    }

    private mutating func addFields(
        _ fields: [String: any __CKRecordObjCValue], changed: Set<String>, isEncrypted: Bool,
        cipher: FieldCipher? = nil
    ) throws {
        let keys = policy == .allKeys ? changed.union(fields.keys) : changed
        for key in keys.sorted() {
            guard FieldKeys.canBeSaved(key) else {
                throw refusal(
                    "'\(key)' cannot be a field name - use a letter, then letters, digits and _.")
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

    /// Adds the assets that must be uploaded. Assets that the server already stores are omitted, because a
    /// save does not change fields that the operation omits.
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

    /// Adds the changed terms of a share, and the key of the zone for the participants.
    private mutating func addTerms(of share: CKShare, _ cipher: FieldCipher?) throws {
        let (root, terms, saved) = share.sharing.withLock { ($0.root, $0.terms, $0.saved) }
        sentTerms = terms
        operation.share = .save(try ShareDraft(root: root, terms, replacing: saved))
        if let key = try cipher?.zoneKey(of: sent.id.zoneID) {
            operation.fields[Share.zoneKeyField] = key
        }
    }

    /// Sets the field to an uploaded file. The uploads of one list must be passed in order.
    mutating func place(_ asset: Asset, for upload: Upload) {
        guard upload.index != nil else {
            operation.fields[upload.fieldName] = Field(.asset(asset))
            return
        }
        assetLists[upload.fieldName, default: []].append(asset)
        let values = (assetLists[upload.fieldName] ?? []).map { FieldValue.asset($0) }
        operation.fields[upload.fieldName] = Field(.list(.asset, values))
    }

    /// Throws `.limitExceeded` if the record is too large. The exact size is computed only if an upper bound
    /// exceeds the limit.
    private func checkSize(_ limits: Limits) throws {
        var longest = 0
        for (name, field) in operation.fields { longest += 6 * name.utf8.count + field.value.maximalJSONSize }
        guard longest > limits.recordBytes else { return }
        let size = FieldJSON().encode(operation.fields).bytes.count
        guard size > limits.recordBytes else { return }
        throw CKError.recordTooLarge(sent.id.recordName, bytes: size, limit: limits.recordBytes)
    }

    private func refusal(_ text: String) -> CKError {
        .invalidArguments("The record '\(sent.id.recordName)' cannot be saved. \(text)")
    }
}
