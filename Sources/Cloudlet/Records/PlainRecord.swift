import Foundation
package import Records

/// A fetched record as a replica stores it. It has no object for each value, unlike a `CKRecord`: creating
/// the objects takes longer than all the rest of a fetch.
package struct PlainRecord: Sendable {
    package var name: String
    package var type: String
    package var changeTag: String
    /// The same bytes as `CKRecord.systemFields`.
    package var systemFields: Data
    package var fields: Fields
    /// The name of the parent; nil if there is none.
    package var parent: String?
}

extension WireContext {
    /// Converts a server record to a plain one; nil if the record needs what only a `CKRecord` has: files,
    /// decrypted values, references to other zones, or the terms of a share.
    func plain(_ record: Record) -> PlainRecord? {
        guard record.sharing?.terms == nil,
            record.fields.values.allSatisfy({ !$0.isEncrypted && $0.value.isPlain })
        else { return nil }
        var state = CKRecord.State(type: record.type, id: recordID(record.id))
        state.adoptMetadata(of: record, context: self)
        var fields = record.fields
        fields[Share.zoneKeyField] = nil
        return PlainRecord(
            name: record.id.name, type: record.type, changeTag: state.changeTag ?? "",
            systemFields: Data(state.systemFields(sharing: nil)), fields: fields, parent: record.parent
        )
    }
}

extension FieldValue {
    /// Whether the value needs no object: a conversion to one and back keeps it, and it has no file.
    /// Locations and lists are always converted.
    fileprivate var isPlain: Bool {
        switch self {
        case .string, .int64, .timestamp, .bytes: true
        case .double(let number): number.isFinite
        // The actions of `CKRecord.Reference` do not include `validate`.
        case .reference(let reference): reference.zone == nil && reference.action != .validate
        case .location, .asset, .list: false
        }
    }
}
