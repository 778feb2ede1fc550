import Records

/// Tracks the cascade of a batch's deletions, and treats the records of strangers separately.
///
/// A stranger is a person who may not write the target of a reference, and who created the record with the
/// reference or saved the reference in another person's record. That record, and the records below it, are
/// deleted as guests (these are records; elsewhere, a guest is a person who reads through a share). A guest
/// is not deleted if another record prevents its deletion, or if the batch has reached its limit of guests.
/// So a person's deletion neither fails nor takes long because of records that others saved.
struct Cascade {
    private struct Target {
        var type: String
        var creator: String
        /// Whether it is deleted as a guest: then all records that refer to it are guests too.
        var isGuest = false
    }

    let batch: WriteBatch
    private let mayWrite: WriteBatch.Ownership?
    /// The number of further guests that the batch may delete or examine.
    private var guests: Int
    /// The number of records that the whole batch has deleted along with others so far, including those of
    /// deletions that were then refused.
    var count = 0
    private let most: Int
    /// The number of records that were read or deleted because a deletion follows references, and that the
    /// payer has not been charged for.
    var followed = 0
    /// Whether the payer has no balance to follow references. The batch is then refused as a whole.
    private(set) var isThrottled = false
    /// The deleted records that have a part in sharing, until `BatchRules` has settled them.
    var unshared: [WrittenRecord] = []
    /// The index work that the deletions and changes of the batch may still cause.
    var budget: IndexBudget
    private let schema: Schema
    /// The records to delete that have references to them, by name. Empty if there are no strangers.
    private var targets: [String: Target] = [:]

    init(_ batch: WriteBatch) {
        self.batch = batch
        mayWrite = batch.mayWrite
        guests = batch.limits.deleteSelfSources
        most = batch.limits.cascadeRecords
        budget = IndexBudget(batch.limits)
        schema = batch.schema
    }

    var hasStrangers: Bool { mayWrite != nil }

    /// The participant on whose behalf the batch changes an owner's zone; nil for the owner.
    var participant: String? { batch.participant }

    /// The kinds of reference along which a deletion cascades.
    var kinds: [BindingKind] { hasStrangers ? [.deleteSelf, .looseDeleteSelf] : [.deleteSelf] }

    /// Throws `tryAgainLater` if the payer of the batch has no balance to follow references or parents.
    mutating func checkBalance() throws(RecordError) {
        do throws(RecordError) {
            try batch.followed?.begin()
        } catch {
            isThrottled = true
            throw error
        }
    }

    /// Pays for the records that the last deletion has followed.
    mutating func payForFollowed() {
        batch.followed?.charge(followed)
        followed = 0
    }

    /// Starts the cascade of a record that an operation deletes.
    mutating func begin(with root: StoredRecord) {
        targets = [:]
        if hasStrangers { targets[root.id.name] = Target(type: root.type, creator: root.created.by) }
    }

    /// Counts a record that the cascade deletes. Throws `limitExceeded` if there are too many.
    mutating func note(_ record: StoredRecord, isGuest: Bool, isTarget: Bool) throws {
        count += 1
        if count > most {
            throw RecordError(
                .limitExceeded, "the deletions of one request cascade to more than \(most) records",
                culprit: record.id.name,
                nextStep: "delete the records that refer to it first, in several requests")
        }
        guard hasStrangers, isTarget else { return }
        targets[record.id.name] = Target(type: record.type, creator: record.created.by, isGuest: isGuest)
    }

    /// Whether records of a type may have lists.
    func mayHaveLists(_ type: String) -> Bool {
        schema.types[type]?.fields.values.contains { $0.type.isList } ?? true
    }

    /// The type of a record if it has searchable fields.
    func typeWithTexts(_ type: String) -> TypeSchema? {
        guard let type = schema.types[type], type.fields.values.contains(where: \.isSearchable) else {
            return nil
        }
        return type
    }

    /// Whether a record is deleted as a guest if this reference causes the deletion.
    ///
    /// A loose reference always makes it a guest, whoever created the record: the writer of the reference was
    /// not allowed to write the target, or wrote it before the target existed.
    func isGuest(_ source: StoredRecord, by binding: Binding) -> Bool {
        binding.kind == .looseDeleteSelf || targets[binding.target]?.isGuest == true
            || isStranger(source, to: binding.target)
    }

    /// Whether the creator of a record may not write the target.
    func isStranger(_ source: StoredRecord, to target: String) -> Bool {
        guard let mayWrite, let target = targets[target] else { return false }
        return !mayWrite(source.created.by, target.type, target.creator)
    }

    /// Whether another guest may be considered; counts it if so.
    mutating func admitsGuest() -> Bool {
        if guests == 0 { return false }
        guests -= 1
        return true
    }
}
