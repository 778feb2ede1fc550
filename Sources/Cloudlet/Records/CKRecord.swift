public import Foundation

/// A record: an ID, a type and named values. It is the unit of saving and fetching.
///
/// Assignments are local until the record is saved. Two records are equal only if they are the same object.
/// If a value, key or parent cannot be stored, the save fails with `CKError.invalidArguments`.
///
/// ```swift
/// let party = CKRecord(recordType: "Party")
/// party["name"] = "Coffee"
/// party["guests"] = 12
/// try await database.save(party)
/// ```
///
/// Apple's page: <https://developer.apple.com/documentation/cloudkit/ckrecord>.
open class CKRecord: NSObject, NSSecureCoding, NSCopying, CKRecordKeyValueSetting, Sequence,
    // Sendable because the mutable state is behind a lock.
    @unchecked Sendable
{
    /// The name of a record type.
    public typealias RecordType = String
    /// The name of a field.
    public typealias FieldKey = String
    /// A field name and its value.
    public typealias Element = (CKRecord.FieldKey, any CKRecordValueProtocol)
    /// The iterator over the fields.
    public typealias Iterator = CKRecordKeyValueIterator

    /// The record's state.
    let state: Locked<State>

    /// Creates a new, unsaved record of this type.
    public convenience init(recordType: CKRecord.RecordType, recordID: CKRecord.ID = CKRecord.ID()) {
        self.init(state: State(type: recordType, id: recordID))
    }

    /// Creates a new, unsaved record of this type with a new name in this zone.
    @available(*, deprecated, message: "Use init(recordType:recordID:) with CKRecord.ID(zoneID:).")
    public convenience init(recordType: CKRecord.RecordType, zoneID: CKRecordZone.ID) {
        self.init(recordType: recordType, recordID: CKRecordID(zoneID: zoneID))
    }

    init(state: State) {
        self.state = Locked(state)
    }

    /// Decodes an archive that `encode(with:)` or `encodeSystemFields(with:)` wrote; returns nil for any
    /// other data.
    public required init?(coder: NSCoder) {
        guard let state = Archive.read(State.self, as: State.archiveKey, from: coder) else { return nil }
        self.state = Locked(state)
    }

    /// The record type.
    open var recordType: CKRecord.RecordType { state.withLock { $0.type } }

    /// The record's ID.
    open var recordID: CKRecord.ID { state.withLock { $0.id } }

    /// The version that the server assigned; nil before the first save.
    open var recordChangeTag: String? { state.withLock { $0.changeTag } }

    /// The user record ID of the person who created the record; nil before the first save.
    open var creatorUserRecordID: CKRecord.ID? { state.withLock { $0.creator } }

    /// When the record was created, by the server's clock in whole milliseconds; nil before the first save.
    open var creationDate: Date? { state.withLock { $0.created } }

    /// The user record ID of the person who last saved the record; nil before the first save.
    open var lastModifiedUserRecordID: CKRecord.ID? { state.withLock { $0.modifier } }

    /// When the record was last saved, by the server's clock in whole milliseconds; nil before the first
    /// save.
    open var modificationDate: Date? { state.withLock { $0.modified } }

    /// A reference to the share whose root this record is; nil for other records, including those below the
    /// root.
    open var share: CKRecord.Reference? { state.withLock { $0.share } }

    /// The parent in the hierarchy that sharing follows. The action of the reference must be `.none`.
    open var parent: CKRecord.Reference? {
        get { state.withLock { $0.parent } }
        set {
            state.withLock {
                $0.parent = newValue
                $0.isParentChanged = true
            }
        }
    }

    /// Sets the parent; nil removes it.
    open func setParent(_ parentRecord: CKRecord?) {
        setParent(parentRecord?.recordID)
    }

    /// Sets the parent by its ID; nil removes it.
    open func setParent(_ parentRecordID: CKRecord.ID?) {
        parent = parentRecordID.map { CKReference(recordID: $0, action: .none) }
    }

    /// The value of a plain field; nil if the record has none.
    open func object(forKey key: CKRecord.FieldKey) -> (any CKRecordValue)? {
        state.withLock { $0.fields[key] }
    }

    /// Sets a plain field and marks it as changed; nil removes the field.
    open func setObject(_ object: (any CKRecordValue)?, forKey key: CKRecord.FieldKey) {
        let boxed = object.map { FieldBox.object(of: $0) }
        state.withLock {
            $0.fields[key] = boxed
            $0.changedKeys.insert(key)
        }
    }

    /// The value of a plain field as a Foundation object. Assigning nil removes the field.
    @_disfavoredOverload
    open subscript(key: CKRecord.FieldKey) -> (any __CKRecordObjCValue)? {
        get { state.withLock { $0.fields[key] } }
        set { setObject(newValue, forKey: key) }
    }

    /// The names of all plain fields that have a value, in ascending order.
    open func allKeys() -> [CKRecord.FieldKey] {
        state.withLock { $0.fields.keys.sorted() }
    }

    /// The names of the plain fields that were set or removed since the record was created, fetched or saved,
    /// in ascending order.
    open func changedKeys() -> [CKRecord.FieldKey] {
        state.withLock { $0.changedKeys.sorted() }
    }

    /// The words of all string fields, normalized as for a token search and without duplicates.
    open func allTokens() -> [String] { tokens }

    /// The encrypted fields. Their names are independent of those of plain fields. They exist in the private
    /// and the shared database only, cannot hold assets or references, and cannot be queried.
    open var encryptedValues: any CKRecordKeyValueSetting & Sendable { EncryptedValues(self) }

    /// Iterates over the plain fields in ascending order of their names.
    public func makeIterator() -> CKRecordKeyValueIterator {
        CKRecordKeyValueIterator(state.withLock { $0.fields })
    }

    /// The type, the name, the version and the fields, for logs.
    open override var description: String {
        let now = state.current
        let fields = now.fields.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        let tag = now.changeTag ?? "unsaved"
        return "<CKRecord: \(now.type) \(now.id.recordName) (\(tag)) {\(fields.joined(separator: ", "))}>"
    }

    /// Returns an independent record with the same ID, version and fields.
    open func copy(with zone: NSZone? = nil) -> Any {
        CKRecord(state: state.current)
    }

    /// Always true.
    public static var supportsSecureCoding: Bool { true }

    /// Writes the complete record, including its values, under a key of this class.
    open func encode(with coder: NSCoder) {
        Archive.write(state.current, as: State.archiveKey, to: coder)
    }

    /// Writes the type, the ID, the version, dates, people, parent and share. A record that `init(coder:)`
    /// creates from it can be saved over the server's version: store this with your own copy of the values.
    open func encodeSystemFields(with coder: NSCoder) {
        Archive.write(bytes: state.current.systemFields(sharing: nil), as: State.archiveKey, to: coder)
    }
}

extension CKRecord {
    /// The ID of a record.
    public typealias ID = CKRecordID
    /// A reference to another record.
    public typealias Reference = CKReference

    /// The effect on the referring record when the target of the reference is deleted.
    public enum ReferenceAction: UInt, Sendable {
        /// Nothing happens: the reference then points to a record that does not exist.
        case none = 0
        /// The record with the reference is deleted too.
        case deleteSelf = 1
    }

    /// The record types that the service itself defines.
    public enum SystemType {
        /// The type of the record that every person has.
        public static let userRecord: CKRecord.RecordType = "Users"
        /// The type of the record that describes a share.
        public static let share: CKRecord.RecordType = "cloudkit.share"
    }

    /// The names of metadata fields in predicates and sort descriptors.
    public enum SystemFieldKey {
        /// The record's ID.
        public static var recordID: CKRecord.FieldKey { "___recordID" }
        /// The person who created the record.
        public static var creatorUserRecordID: CKRecord.FieldKey { "___createdBy" }
        /// When the record was created.
        public static var creationDate: CKRecord.FieldKey { "___createTime" }
        /// The person who last saved the record.
        public static var lastModifiedUserRecordID: CKRecord.FieldKey { "___modifiedBy" }
        /// When the record was last saved.
        public static var modificationDate: CKRecord.FieldKey { "___modTime" }
        /// The parent in the hierarchy that sharing follows.
        public static let parent: CKRecord.FieldKey = "parent"
        /// The share that contains the record.
        public static let share: CKRecord.FieldKey = "share"
    }
}

/// The name of this type before Swift 4.2.
@available(*, deprecated, renamed: "CKRecord.ReferenceAction")
public typealias CKRecord_Reference_Action = CKRecord.ReferenceAction
