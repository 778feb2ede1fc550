import Records

/// Tells strangers' records from others while deletions take records along.
///
/// A stranger is somebody who may not write the record that theirs refers to, or that they made somebody
/// else's refer to. Such a record goes along like any other, with what hangs on it, but as a guest: it stays
/// when something holds it, and when so many guests have gone in this batch. So nobody's deletion
/// fails, or takes long, for what others saved.
struct Cascade {
    private struct Target {
        var type: String
        var creator: String
        /// Whether it went as a guest itself: then all that hangs on it are guests.
        var isGuest = false
    }

    private let mayWrite: WriteBatch.Ownership?
    /// Guests that may still be looked at.
    private var guests: Int
    /// Records that went along so far, in the whole batch, also with deletions that were refused then.
    var count = 0
    private let most: Int
    /// What the deletions and changes of the batch may cost.
    var budget: IndexBudget
    private let schema: Schema
    /// The records that go and are referred to, by name. Kept only where there are strangers.
    private var targets: [String: Target] = [:]

    init(_ batch: WriteBatch) {
        mayWrite = batch.mayWrite
        guests = batch.limits.deleteSelfSources
        most = batch.limits.cascadeRecords
        budget = IndexBudget(batch.limits)
        schema = batch.schema
    }

    var hasStrangers: Bool { mayWrite != nil }

    /// The references along which a deletion takes records.
    var kinds: [BindingKind] { hasStrangers ? [.deleteSelf, .looseDeleteSelf] : [.deleteSelf] }

    /// Begins with the record that is deleted by name.
    mutating func begin(with root: StoredRecord) {
        targets = [:]
        if hasStrangers { targets[root.id.name] = Target(type: root.type, creator: root.created.by) }
    }

    /// Notes a record that goes along. Throws `limitExceeded` for one too many.
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

    /// Whether a record goes as a guest, if it goes along by that reference.
    ///
    /// A reference that was kept loosely makes it one, whoever made the record: whoever wrote the reference
    /// might not write the target, or wrote it before the target was there.
    func isGuest(_ source: StoredRecord, by binding: Binding) -> Bool {
        binding.kind == .looseDeleteSelf || targets[binding.target]?.isGuest == true
            || isStranger(source, to: binding.target)
    }

    /// Whether somebody made a record who may not write that target.
    func isStranger(_ source: StoredRecord, to target: String) -> Bool {
        guard let mayWrite, let target = targets[target] else { return false }
        return !mayWrite(source.created.by, target.type, target.creator)
    }

    /// Whether there is room for one more guest, who is thereby counted.
    mutating func admitsGuest() -> Bool {
        if guests == 0 { return false }
        guests -= 1
        return true
    }
}
