import Foundation
internal import Records

extension CKRecord {
    /// The complete state of a record.
    // Sendable because no value of a field changes once it is in a record.
    struct State: @unchecked Sendable {
        var type: String
        var id: CKRecordID
        var changeTag: String?
        var creator: CKRecordID?
        var created: Date?
        var modifier: CKRecordID?
        var modified: Date?
        var parent: CKReference?
        var isParentChanged = false
        var share: CKReference?
        var fields: [String: any __CKRecordObjCValue] = [:]
        var changedKeys: Set<String> = []
        var encryptedFields: [String: any __CKRecordObjCValue] = [:]
        var changedEncryptedKeys: Set<String> = []
        /// The fields as they were last fetched or saved; nil if unknown.
        var baseFields: [String: any __CKRecordObjCValue]?
        var baseEncryptedFields: [String: any __CKRecordObjCValue]?

        init(type: String, id: CKRecordID) {
            self.type = type
            self.id = id
        }
    }

    /// The system fields as bytes for `restored(_:)`, including the terms of a share.
    package var systemFields: Data {
        let sharing = (self as? CKShare).map { ArchivedShare($0.sharing.current) }
        return Data(state.current.systemFields(sharing: sharing.flatMap { try? Archive.json(of: $0) }))
    }

    /// Creates a record without values from `systemFields`, a `CKShare` from those of a share; returns nil
    /// for any other bytes.
    package static func restored(_ systemFields: Data) -> CKRecord? {
        guard let state = Archive.payload(State.self, in: systemFields) else { return nil }
        guard state.type == SystemType.share,
            let stored = Archive.payload(State.StoredSharing.self, in: systemFields)
        else { return CKRecord(state: state) }
        return CKShare(state: state, sharing: CKShare.Sharing(stored.sharing))
    }

    /// The words of all string fields, sorted and without duplicates.
    var tokens: [String] {
        let texts = state.withLock { state in
            state.fields.values.compactMap { ($0 as? NSString).map { String($0) } }
        }
        return Set(texts.flatMap(textTokens)).sorted()
    }
}

extension CKRecord.State: Codable {
    static let archiveKey = "cloudlet.CKRecord"

    private enum CodingKeys: String, CodingKey {
        case type, id, changeTag, creator, created, modifier, modified, parent, share
        case isParentChanged, fields, changedKeys, encryptedFields, changedEncryptedKeys
        case sharing
    }

    /// The terms of a share in bytes that `systemFields` wrote.
    struct StoredSharing: Decodable {
        let sharing: ArchivedShare
    }

    /// Decodes an archive that `encode(to:)` or `systemFields` wrote.
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func read<Value: Decodable>(_ key: CodingKeys) throws -> Value? {
            try container.decodeIfPresent(Value.self, forKey: key)
        }
        self.init(
            type: try container.decode(String.self, forKey: .type),
            id: CKRecordID(try container.decode(RecordID.self, forKey: .id)))
        changeTag = try read(.changeTag)
        creator = (try read(.creator) as RecordID?).map { CKRecordID($0) }
        created = try read(.created)
        modifier = (try read(.modifier) as RecordID?).map { CKRecordID($0) }
        modified = try read(.modified)
        parent = (try read(.parent) as Records.Reference?).map { CKReference($0) }
        isParentChanged = try read(.isParentChanged) ?? false
        share = (try read(.share) as Records.Reference?).map { CKReference($0) }
        fields = (try read(.fields) as [String: ArchivedValue]? ?? [:]).mapValues(\.object)
        changedKeys = Set(try read(.changedKeys) as [String]? ?? [])
        encryptedFields = (try read(.encryptedFields) as [String: ArchivedValue]? ?? [:]).mapValues(\.object)
        changedEncryptedKeys = Set(try read(.changedEncryptedKeys) as [String]? ?? [])
    }

    /// Encodes everything except `baseFields` and `baseEncryptedFields`.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(type, forKey: .type)
        try container.encode(RecordID(id), forKey: .id)
        try container.encodeIfPresent(changeTag, forKey: .changeTag)
        try container.encodeIfPresent(creator.map { RecordID($0) }, forKey: .creator)
        try container.encodeIfPresent(created, forKey: .created)
        try container.encodeIfPresent(modifier.map { RecordID($0) }, forKey: .modifier)
        try container.encodeIfPresent(modified, forKey: .modified)
        try container.encodeIfPresent(parent.map { Records.Reference($0) }, forKey: .parent)
        try container.encodeIfPresent(share.map { Records.Reference($0) }, forKey: .share)
        try container.encode(isParentChanged, forKey: .isParentChanged)
        try container.encode(fields.compactMapValues { ArchivedValue($0) }, forKey: .fields)
        try container.encode(changedKeys.sorted(), forKey: .changedKeys)
        try container.encode(encryptedFields.compactMapValues { ArchivedValue($0) }, forKey: .encryptedFields)
        try container.encode(changedEncryptedKeys.sorted(), forKey: .changedEncryptedKeys)
    }
}
