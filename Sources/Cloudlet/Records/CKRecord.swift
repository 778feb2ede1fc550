public import Foundation

/// A set of named values with an identity: the unit that is saved and fetched (API sheet 4; talk 1,
/// "Records").
///
/// Assignments are local until the record is saved. Two records are equal only if they are the same object.
/// A value, key or parent that cannot be stored makes the save fail with `CKError.invalidArguments`.
///
/// ```swift
/// let party = CKRecord(recordType: "Party")
/// party["name"] = "Coffee"
/// party["guests"] = 12
/// try await database.save(party)
/// ```
open class CKRecord: NSObject, NSSecureCoding, NSCopying, CKRecordKeyValueSetting, Sequence,
    // Sendable because the mutable state lies behind a lock.
    @unchecked Sendable
{
    /// The name of a kind of record.
    public typealias RecordType = String
    /// The name of a field.
    public typealias FieldKey = String
    /// A key and its value.
    public typealias Element = (CKRecord.FieldKey, any CKRecordValueProtocol)
    /// The walk over the fields.
    public typealias Iterator = CKRecordKeyValueIterator

    /// Everything a record knows, behind its lock.
    let state: Locked<State>

    /// A record of that type which nobody has saved yet.
    public convenience init(recordType: CKRecord.RecordType, recordID: CKRecord.ID = CKRecord.ID()) {
        self.init(state: State(type: recordType, id: recordID))
    }

    /// A record of that type with a fresh name in that zone.
    @available(*, deprecated, message: "Use init(recordType:recordID:) with CKRecord.ID(zoneID:).")
    public convenience init(recordType: CKRecord.RecordType, zoneID: CKRecordZone.ID) {
        self.init(recordType: recordType, recordID: CKRecordID(zoneID: zoneID))
    }

    init(state: State) {
        self.state = Locked(state)
    }

    /// Reads an archive that `encode(with:)` or `encodeSystemFields(with:)` wrote; nil for anything else.
    public required init?(coder: NSCoder) {
        guard let state = Archive.read(State.self, as: State.archiveKey, from: coder) else { return nil }
        self.state = Locked(state)
    }

    /// The kind of record.
    open var recordType: CKRecord.RecordType { state.withLock { $0.type } }

    /// The identity.
    open var recordID: CKRecord.ID { state.withLock { $0.id } }

    /// The version the server gave; nil before the first save.
    open var recordChangeTag: String? { state.withLock { $0.changeTag } }

    /// The person who made the record; nil before the first save.
    open var creatorUserRecordID: CKRecord.ID? { state.withLock { $0.creator } }

    /// When the record was made, by the server's clock, in whole milliseconds; nil before the first save.
    open var creationDate: Date? { state.withLock { $0.created } }

    /// The person who saved the record last; nil before the first save.
    open var lastModifiedUserRecordID: CKRecord.ID? { state.withLock { $0.modifier } }

    /// When the record was saved last, by the server's clock; nil before the first save.
    open var modificationDate: Date? { state.withLock { $0.modified } }

    /// The share that covers this record, in fetched records.
    open var share: CKRecord.Reference? { state.withLock { $0.share } }

    /// The record above this one in the hierarchy that sharing follows; its action must be `.none`.
    open var parent: CKRecord.Reference? {
        get { state.withLock { $0.parent } }
        set {
            state.withLock {
                $0.parent = newValue
                $0.isParentChanged = true
            }
        }
    }

    /// Makes that record the parent; nil removes the parent.
    open func setParent(_ parentRecord: CKRecord?) {
        setParent(parentRecord?.recordID)
    }

    /// Makes the record with that ID the parent; nil removes the parent.
    open func setParent(_ parentRecordID: CKRecord.ID?) {
        parent = parentRecordID.map { CKReference(recordID: $0, action: .none) }
    }

    /// The value of a plain field, or nil when the record has none.
    open func object(forKey key: CKRecord.FieldKey) -> (any CKRecordValue)? {
        state.withLock { $0.fields[key] }
    }

    /// Sets a plain field and marks it as changed; nil removes it.
    open func setObject(_ object: (any CKRecordValue)?, forKey key: CKRecord.FieldKey) {
        let boxed = object.map { FieldBox.object(of: $0) }
        state.withLock {
            $0.fields[key] = boxed
            $0.changedKeys.insert(key)
        }
    }

    /// The value of a plain field in object form; assigning nil removes the field.
    @_disfavoredOverload
    open subscript(key: CKRecord.FieldKey) -> (any __CKRecordObjCValue)? {
        get { state.withLock { $0.fields[key] } }
        set { setObject(newValue, forKey: key) }
    }

    /// The keys of all plain fields that have a value, in ascending order.
    open func allKeys() -> [CKRecord.FieldKey] {
        state.withLock { $0.fields.keys.sorted() }
    }

    /// The plain fields set or removed since the record was made, fetched or saved, in ascending order.
    open func changedKeys() -> [CKRecord.FieldKey] {
        state.withLock { $0.changedKeys.sorted() }
    }

    /// The words of all string fields, each once, folded as a token search folds them.
    open func allTokens() -> [String] { tokens }

    /// The fields that are kept encrypted: a key space of its own, for values other than assets and
    /// references, in the private database, never part of a query.
    open var encryptedValues: any CKRecordKeyValueSetting & Sendable { EncryptedValues(self) }

    /// Walks over the plain fields in ascending order of their keys.
    public func makeIterator() -> CKRecordKeyValueIterator {
        CKRecordKeyValueIterator(state.withLock { $0.fields })
    }

    /// Type, name and fields, for people.
    open override var description: String {
        let now = state.current
        let fields = now.fields.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        let tag = now.changeTag ?? "unsaved"
        return "<CKRecord: \(now.type) \(now.id.recordName) (\(tag)) {\(fields.joined(separator: ", "))}>"
    }

    /// An independent record with the same identity, version and fields.
    open func copy(with zone: NSZone? = nil) -> Any {
        CKRecord(state: state.current)
    }

    /// Always true.
    public static var supportsSecureCoding: Bool { true }

    /// Writes the whole record, values included, under a key of this class.
    open func encode(with coder: NSCoder) {
        Archive.write(state.current, as: State.archiveKey, to: coder)
    }

    /// Writes type, identity, version, dates, people, parent and share: what a cache needs so that the
    /// record it later makes with `init(coder:)` can be saved over the server's.
    open func encodeSystemFields(with coder: NSCoder) {
        Archive.write(State.SystemFields(state: state.current), as: State.archiveKey, to: coder)
    }
}

extension CKRecord {
    /// The identity of a record.
    public typealias ID = CKRecordID
    /// The relation of a record to another.
    public typealias Reference = CKReference

    /// What happens to the holder of a reference when the target is deleted.
    public enum ReferenceAction: UInt, Sendable {
        /// Nothing: the reference points nowhere.
        case none = 0
        /// The holder is deleted too.
        case deleteSelf = 1
    }

    /// The record types that the service itself defines.
    public enum SystemType {
        /// The record that every person has.
        public static let userRecord: CKRecord.RecordType = "Users"
        /// The record that describes a share.
        public static let share: CKRecord.RecordType = "cloudkit.share"
    }

    /// The names of metadata in predicates and sort descriptors.
    public enum SystemFieldKey {
        /// The record's identity.
        public static var recordID: CKRecord.FieldKey { "___recordID" }
        /// The person who made the record.
        public static var creatorUserRecordID: CKRecord.FieldKey { "___createdBy" }
        /// When the record was made.
        public static var creationDate: CKRecord.FieldKey { "___createTime" }
        /// The person who saved the record last.
        public static var lastModifiedUserRecordID: CKRecord.FieldKey { "___modifiedBy" }
        /// When the record was saved last.
        public static var modificationDate: CKRecord.FieldKey { "___modTime" }
        /// The parent in the shared hierarchy.
        public static let parent: CKRecord.FieldKey = "parent"
        /// The share that covers the record.
        public static let share: CKRecord.FieldKey = "share"
    }
}

/// The name this type had in the transition to Swift 4.2.
@available(*, deprecated, renamed: "CKRecord.ReferenceAction")
public typealias CKRecord_Reference_Action = CKRecord.ReferenceAction
