import Records

extension BatchRules {
    /// Deletes a record and, recursively, all records that refer to it with delete-self, each once.
    ///
    /// Fails if these are too many, if they have too many list elements or searchable texts, or if a
    /// remaining record validates one of them or has it as parent. All of this is checked before anything is
    /// changed.
    func delete<T: ZoneTransaction>(
        _ root: WrittenRecord, _ cascade: inout Cascade, in transaction: inout T
    ) throws {
        guard try transaction.hasSources(of: root.stored.id.name) else {
            try remove(root, &cascade, in: &transaction)
            return
        }
        try cascade.checkBalance()
        let before = cascade
        let plan: DeletionPlan
        do {
            plan = try self.plan(root.stored, &cascade, in: transaction)
        } catch {
            // Records that a refused deletion visited count too: they have cost as much.
            cascade.payForFollowed()
            let (count, budget) = (cascade.count, cascade.budget)
            cascade = before
            (cascade.count, cascade.budget) = (count, budget)
            cascade.budget.restoreTextBytes(of: before.budget)
            throw error
        }
        cascade.followed += plan.names.count
        cascade.payForFollowed()
        for change in plan.rebound {
            try transaction.rebind(change.source, change.name, from: change.old, to: change.new)
        }
        if root.stored.sharing?.terms != nil { try release(root.stored.id.name, in: &transaction) }
        try remove(root, &cascade, in: &transaction)
        for name in plan.names.dropFirst() {
            guard let found = try transaction.record(named: name) else { throw Self.missing(source: name) }
            try remove(try written(found), &cascade, in: &transaction)
        }
    }

    func remove<T: ZoneTransaction>(
        _ record: WrittenRecord, _ cascade: inout Cascade, in transaction: inout T
    ) throws {
        let sequence = transaction.nextSequence()
        try transaction.delete(record, sequence: sequence)
        transaction.count(StoreUsage() - record.usage, by: record.stored.created.by)
        let stored = record.stored
        if stored.sharing != nil || stored.shortGUID != nil { cascade.unshared.append(record) }
        if stored.sharing?.terms == nil, transaction.shares == .records {
            try transaction.uncover(stored.id.name, sequence: sequence)
        }
    }

    // MARK: Shares

    /// Ends the shares whose record or root an operation has deleted.
    func settleDeletions<T: ZoneTransaction>(
        of batch: WriteBatch, _ progress: inout BatchProgress, in transaction: inout T
    ) throws {
        while let record = progress.cascade.unshared.popLast() {
            let name = record.stored.id.name
            if record.stored.shortGUID != nil { try transaction.setShortGUID(nil, of: name) }
            switch record.stored.sharing {
            case nil: break
            case .root(let share):
                guard let found = try transaction.record(named: share) else { break }
                try release(share, in: &transaction)
                try remove(try written(found), &progress.cascade, in: &transaction)
                progress.endedShares.insert(share)
            case .share(let terms):
                try progress.cascade.checkBalance()
                try progress.spendMoves(try transaction.count(coveredBy: record.ordinal), on: name)
                try transaction.close(record.ordinal)
                guard let root = terms.root else { break }
                try SharingRules(batch).setSharing(
                    nil, shortGUID: nil, of: root, &progress, &transaction)
            }
        }
    }

    /// Removes the index entries of the references that would prevent the deletion of a share, because its
    /// owner may always end it.
    private func release<T: ZoneTransaction>(_ share: String, in transaction: inout T) throws {
        for kind in BindingKind.holding {
            let binding = Binding(kind: kind, target: share)
            while let source = try transaction.sources(of: share, kind: kind, limit: 1).first,
                let head = try transaction.head(named: source)
            {
                try transaction.rebind(head.ordinal, source, from: binding, to: nil)
            }
        }
    }

    // MARK: Planning

    private func plan<T: ZoneTransaction>(
        _ root: StoredRecord, _ cascade: inout Cascade, in transaction: T
    ) throws -> DeletionPlan {
        var plan = DeletionPlan(root.id.name)
        cascade.begin(with: root)
        var next = 0
        while next < plan.targets.count {
            for kind in cascade.kinds {
                let binding = Binding(kind: kind, target: plan.targets[next])
                try addSources(of: binding, to: &plan, &cascade, in: transaction)
            }
            next += 1
        }
        // References to a share do not prevent its owner from ending it.
        let targets = root.sharing?.terms == nil ? plan.targets[...] : plan.targets.dropFirst()
        try checkNothingDangles(at: targets, &plan, &cascade, in: transaction)
        return plan
    }

    private func addSources<T: ZoneTransaction>(
        of binding: Binding, to plan: inout DeletionPlan, _ cascade: inout Cascade, in transaction: T
    ) throws {
        try forEachSource(of: binding, in: transaction) { name in
            cascade.followed += 1
            if plan.contains(name) { return true }
            guard let (head, ordinal) = try transaction.head(named: name) else {
                throw Self.missing(source: name)
            }
            if let person = cascade.participant,
                try !mayDelete(head, person, cascade, in: transaction)
            {
                plan.rebound.append((ordinal, name, binding, nil))
                return true
            }
            let isGuest = cascade.isGuest(head, by: binding)
            if isGuest {
                let hasRoom = cascade.admitsGuest()
                if !hasRoom, binding.kind == .looseDeleteSelf { return false }
                if try !hasRoom || isHeld(name, beside: plan, &cascade, in: transaction) {
                    plan.rebound.append((ordinal, name, binding, nil))
                    return true
                }
            }
            let removal = try work(toRemove: head, ordinal, cascade, in: transaction)
            do throws(RecordError) {
                try cascade.budget.spend(removal.cost, on: plan.root, next: Self.sourcesFirst)
                try cascade.budget.spendTexts(removal.textBytes, on: plan.root, next: Self.sourcesFirst)
            } catch {
                guard isGuest else { throw error }
                plan.rebound.append((ordinal, name, binding, nil))
                return true
            }
            let isTarget = try transaction.hasSources(of: name)
            try cascade.note(head, isGuest: isGuest, isTarget: isTarget)
            plan.add(name, isTarget: isTarget)
            return true
        }
    }

    /// Whether a participant's deletion may cascade to a record: not to a share, nor its root, nor a record
    /// that the participant may not write.
    private func mayDelete<T: ZoneTransaction>(
        _ head: StoredRecord, _ person: String, _ cascade: Cascade, in transaction: T
    ) throws -> Bool {
        if head.sharing != nil { return false }
        return try SharingRules(cascade.batch).mayWrite(head.id.name, person, in: transaction)
    }

    /// The index cost of deleting a record, and the bytes of its searchable texts. The fields are read only
    /// if the record may have lists or such texts.
    private func work<T: ZoneTransaction>(
        toRemove head: StoredRecord, _ ordinal: Int64, _ cascade: Cascade, in transaction: T
    ) throws -> (cost: IndexCost, textBytes: Int) {
        let name = head.id.name
        let typeWithTexts = cascade.typeWithTexts(head.type)
        if cascade.mayHaveLists(head.type) || typeWithTexts != nil,
            let found = try transaction.record(named: name)
        {
            let fields = try codec.decode(found.stored.fields)
            var cost = IndexCost(removing: fields)
            cost.bytes = found.stored.fields.bytes.count
            return (cost, typeWithTexts?.changedTextBytes(from: fields, to: nil) ?? 0)
        }
        return (IndexCost(bytes: try transaction.fieldBytes(of: ordinal, named: name)), 0)
    }

    /// Whether a record outside the plan validates this record or has it as parent.
    private func isHeld<T: ZoneTransaction>(
        _ name: String, beside plan: DeletionPlan, _ cascade: inout Cascade, in transaction: T
    ) throws -> Bool {
        var isHeld = false
        for kind in BindingKind.holding where !isHeld {
            try forEachSource(of: Binding(kind: kind, target: name), in: transaction) { source in
                cascade.followed += 1
                isHeld = !plan.contains(source)
                return !isHeld
            }
        }
        return isHeld
    }

    private func checkNothingDangles<T: ZoneTransaction>(
        at targets: ArraySlice<String>, _ plan: inout DeletionPlan, _ cascade: inout Cascade,
        in transaction: T
    ) throws {
        for target in targets {
            for kind in BindingKind.holding {
                let binding = Binding(kind: kind, target: target)
                try forEachSource(of: binding, in: transaction) { source in
                    cascade.followed += 1
                    if plan.contains(source) { return true }
                    guard cascade.hasStrangers, let (head, ordinal) = try transaction.head(named: source),
                        cascade.isStranger(head, to: target)
                    else {
                        // A participant may not see the other record.
                        throw Self.held(by: cascade.participant == nil ? source : target)
                    }
                    plan.rebound.append((ordinal, source, binding, binding.loose))
                    return true
                }
            }
        }
    }

    /// Calls `body` with the names of the records that have a binding, in the order of their creation, until
    /// it returns false.
    private func forEachSource<T: ZoneTransaction>(
        of binding: Binding, in transaction: T, _ body: (String) throws -> Bool
    ) throws {
        var reached: Int64 = 0
        while true {
            let page = try transaction.sources(
                of: binding.target, kind: binding.kind, after: reached, limit: Self.cascadePage)
            for name in page {
                if try !body(name) { return }
            }
            guard page.count == Self.cascadePage, let last = page.last else { return }
            guard let (_, ordinal) = try transaction.head(named: last) else {
                throw Self.missing(source: last)
            }
            reached = ordinal
        }
    }

    private static func missing(source: String) -> RecordError {
        RecordError(
            .internalError, "the index of references names a missing record", culprit: source)
    }

    private static func held(by source: String) -> RecordError {
        RecordError(
            .validatingReference, "the record is still referred to and cannot be deleted", culprit: source,
            nextStep: "delete or change the records that refer to it first"
        )
    }

    /// The next step for a record that cannot be deleted together with all that refer to it.
    private static let sourcesFirst = "delete the records that refer to it first, in several requests"

    /// The number of sources that one look-up reads.
    private static let cascadePage = 256
}

/// The changes that a deletion causes.
private struct DeletionPlan {
    /// The names of the records to delete, each after the record that it refers to. At most
    /// `Limits.cascadeRecords`.
    private(set) var names: [String]
    /// The record that an operation deletes.
    var root: String { names[0] }
    /// Those of `names` to which other records refer, in the same order.
    private(set) var targets: [String]
    /// References from remaining records that change their form; nil removes the binding.
    var rebound: [(source: Int64, name: String, old: Binding, new: Binding?)] = []
    private var all: Set<String>

    init(_ root: String) {
        names = [root]
        targets = [root]
        all = [root]
    }

    func contains(_ name: String) -> Bool { all.contains(name) }

    mutating func add(_ name: String, isTarget: Bool) {
        all.insert(name)
        names.append(name)
        if isTarget { targets.append(name) }
    }
}
