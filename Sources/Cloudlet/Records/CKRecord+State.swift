// Owns the state of a record, and its form in archives.

import Foundation
internal import Records

extension CKRecord {
    /// Everything a record knows.
    struct State {
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
        /// The fields as they were fetched or last saved; nil when that is not known.
        var baseFields: [String: any __CKRecordObjCValue]?
        var baseEncryptedFields: [String: any __CKRecordObjCValue]?

        init(type: String, id: CKRecordID) {
            self.type = type
            self.id = id
        }
    }

    /// The words of all string fields, sorted.
    var tokens: [String] {
        let texts = state.withLock { state in
            state.fields.values.compactMap { ($0 as? NSString).map { String($0) } }
        }
        return Set(texts.flatMap(textTokens)).sorted()
    }
}

/// A record as archives hold it; the values are absent when only system fields were asked for.
struct PlainRecord: Codable {
    static let archiveKey = "cloudlet.CKRecord"

    var type: String
    var id: PlainRecordID
    var changeTag: String?
    var creator: PlainRecordID?
    var created: Date?
    var modifier: PlainRecordID?
    var modified: Date?
    var parent: PlainReference?
    var isParentChanged: Bool?
    var share: PlainReference?
    var fields: [String: PlainValue]?
    var changedKeys: [String]?
    var encryptedFields: [String: PlainValue]?
    var changedEncryptedKeys: [String]?

    init(_ state: CKRecord.State, values: Bool) {
        type = state.type
        id = PlainRecordID(state.id)
        changeTag = state.changeTag
        creator = state.creator.map(PlainRecordID.init)
        created = state.created
        modifier = state.modifier.map(PlainRecordID.init)
        modified = state.modified
        parent = state.parent.map(PlainReference.init)
        share = state.share.map(PlainReference.init)
        guard values else { return }
        isParentChanged = state.isParentChanged
        fields = state.fields.compactMapValues { PlainValue($0) }
        changedKeys = state.changedKeys.sorted()
        encryptedFields = state.encryptedFields.compactMapValues { PlainValue($0) }
        changedEncryptedKeys = state.changedEncryptedKeys.sorted()
    }
}

extension CKRecord.State {
    init(_ plain: PlainRecord) {
        self.init(type: plain.type, id: CKRecordID(plain.id))
        changeTag = plain.changeTag
        creator = plain.creator.map(CKRecordID.init)
        created = plain.created
        modifier = plain.modifier.map(CKRecordID.init)
        modified = plain.modified
        parent = plain.parent.map(CKReference.init)
        isParentChanged = plain.isParentChanged ?? false
        share = plain.share.map(CKReference.init)
        fields = (plain.fields ?? [:]).mapValues(\.object)
        changedKeys = Set(plain.changedKeys ?? [])
        encryptedFields = (plain.encryptedFields ?? [:]).mapValues(\.object)
        changedEncryptedKeys = Set(plain.changedEncryptedKeys ?? [])
    }
}
