import Records

/// How a save changes the share that covers a record.
struct CoverChange {
    /// The id of the share that covered the record before the save.
    var old: Int64?
    /// The id of the share that covers it after the save.
    var new: Int64?
    var isCreation = false
}

/// Applies the rules of shares to the operations of a batch: who may do what, which terms a share gets, and
/// which share covers a record before and after.
struct SharingRules {
    let batch: WriteBatch

    init(_ batch: WriteBatch) {
        self.batch = batch
    }

    // MARK: Checks before a save

    /// Throws if a participant may not apply an operation.
    func check<T: ZoneTransaction>(
        _ operation: RecordOperation, on existing: StoredRecord?, by person: String, in transaction: T
    ) throws {
        let parent = operation.parent(after: existing, byParticipant: true)
        let name = operation.recordName ?? ""
        try ShareAccess(person: person).check(
            operation, on: existing, under: try terms(covering: name, in: transaction), parent: parent,
            under: try parent.flatMap { try terms(covering: $0, in: transaction) })
    }

    /// The terms of the share that covers a record; nil if there is none.
    private func terms<T: ZoneTransaction>(covering name: String, in transaction: T) throws -> Share? {
        let share: String
        switch transaction.shares {
        case .none: return nil
        case .zone: share = Share.zoneWideName
        case .records:
            guard let found = try transaction.share(covering: name) else { return nil }
            share = found.name
        }
        return try transaction.head(named: share)?.stored.sharing?.terms
    }

    /// Sets the terms of a share, or the short GUID of another record. Throws if the operation is not allowed
    /// to do so.
    func share<T: ZoneTransaction>(
        _ new: inout WrittenRecord, _ operation: RecordOperation, _ old: WrittenRecord?,
        _ progress: inout BatchProgress, in transaction: T
    ) throws {
        guard new.stored.type == Share.recordType else {
            try checkIsNoShare(new.stored, operation)
            if new.stored.shortGUID == nil { new.stored.shortGUID = operation.shortGUID }
            return
        }
        if let parent = new.stored.parent {
            throw RecordError(
                .badRequest, "a share has no parent", culprit: parent, nextStep: "save it without a parent")
        }
        let owner = batch.owner ?? batch.stamp.by
        let rules = ShareRules(name: new.stored.id.name, owner: owner, limits: batch.limits)
        if let terms = old?.stored.sharing?.terms {
            switch operation.share {
            case nil: break
            case .save(let draft):
                new.stored.sharing = .share(try rules.saved(draft, on: terms, by: batch.participant))
            case .accept(let person, let addresses, let id, let name):
                new.stored.sharing = .share(
                    try rules.accepted(by: person, addresses: addresses, id: id, name: name, on: terms))
            case .request(let requester):
                new.stored.sharing = .share(try rules.requested(by: requester, on: terms))
            }
            return
        }
        guard case .save(let draft)? = operation.share else {
            throw RecordError(
                .badRequest, "a share needs a root or the name \(Share.zoneWideName)",
                culprit: new.stored.id.name, nextStep: "name the root in forRecord")
        }
        let guid = try place(draft, new.stored.id.name, operation, &progress, in: transaction)
        new.stored.sharing = .share(try rules.created(draft, shortGUID: guid))
    }

    private func checkIsNoShare(_ record: StoredRecord, _ operation: RecordOperation) throws(RecordError) {
        if operation.share == nil, record.id.name != Share.zoneWideName { return }
        throw RecordError(
            .badRequest, "only a record of type \(Share.recordType) can be a share", culprit: record.id.name,
            nextStep: "save the record without terms of a share, under another name")
    }

    /// Throws if a new share may not be created where the draft says. Returns its short GUID.
    private func place<T: ZoneTransaction>(
        _ draft: ShareDraft, _ name: String, _ operation: RecordOperation,
        _ progress: inout BatchProgress, in transaction: T
    ) throws -> String {
        var place = SharePlace(
            name: name, zone: batch.zone, isPrivate: batch.mayWrite == nil, isZoneShared: false,
            hasRecordShares: transaction.shares == .records)
        if case .zone = transaction.shares { place.isZoneShared = true }
        try place.check(draft.root)
        if let root = draft.root {
            try place.check(
                root: try transaction.head(named: root)?.stored, named: root,
                isInBatch: progress.saved.contains(root), tag: draft.rootTag)
            try spendMove(of: root, &progress, in: transaction)
            if place.hasRecordShares {
                if let other = try transaction.share(covering: root) {
                    throw RecordError.alreadyShared(root, by: other.name)
                }
                if let below = try transaction.root(below: root, except: nil) {
                    throw RecordError.alreadyShared(
                        below, by: try transaction.share(covering: below)?.name ?? "")
                }
            }
        }
        if let known = try transaction.shortGUID(of: draft.root ?? Share.zoneWideName) { return known }
        guard let guid = operation.shortGUID else {
            throw RecordError(.internalError, "the batch has no short GUID for a new share", culprit: name)
        }
        return guid
    }

    /// Returns how a save changes the share that covers a record; nil if no share of records is concerned.
    /// Throws `exists` if the save would put a root under another share.
    func coverChange<T: ZoneTransaction>(
        from old: WrittenRecord?, to new: WrittenRecord, _ progress: inout BatchProgress, in transaction: T
    ) throws -> CoverChange? {
        let (name, parent) = (new.stored.id.name, new.stored.parent)
        if new.stored.type == Share.recordType { return nil }
        if old?.stored.parent != parent, let parent, try isShare(parent, in: transaction) {
            throw RecordError(
                .badRequest, "a share cannot be the parent of a record", culprit: parent,
                nextStep: "set the parent to another record, such as the root of the share")
        }
        guard transaction.shares == .records else { return nil }
        let target = try parent.flatMap { try transaction.share(covering: $0) }
        guard let old else {
            return target.map { CoverChange(old: nil, new: $0.id, isCreation: true) }
        }
        let source = try transaction.share(covering: name)
        let unchanged = source.map { CoverChange(old: $0.id, new: $0.id) }
        if old.stored.parent == parent { return unchanged }
        if let share = old.stored.sharing?.shareName {
            if let target, target.id != source?.id { throw RecordError.alreadyShared(name, by: share) }
            return unchanged
        }
        if let target, let parent {
            // A record that is put below itself is no longer below the root.
            if target.id == source?.id {
                // Most records have nothing below them, and it takes long to look at all that is above.
                let isParent = try transaction.sourceCount(of: name, kind: .parent, upTo: 1) > 0
                let isCut = try parent == name || isParent && isBelow(parent, name, in: transaction)
                if !isCut { return unchanged }
                if batch.participant != nil {
                    throw RecordError(
                        .badRequest, "a record cannot have itself or a record below it as its parent",
                        culprit: name, nextStep: "choose a parent that is not below the record")
                }
                try spendMove(of: name, &progress, in: transaction)
                return CoverChange(old: source?.id, new: nil)
            }
            try spendMove(of: name, &progress, in: transaction)
            if let root = try transaction.root(below: name, except: target.id) {
                throw RecordError.alreadyShared(
                    root, by: try transaction.share(covering: root)?.name ?? "")
            }
        }
        if source == nil, target == nil { return nil }
        if target == nil { try spendMove(of: name, &progress, in: transaction) }
        return CoverChange(old: source?.id, new: target?.id)
    }

    private func isShare<T: ZoneTransaction>(_ name: String, in transaction: T) throws -> Bool {
        switch transaction.shares {
        case .none: false
        case .zone: name == Share.zoneWideName
        case .records: try transaction.head(named: name)?.stored.type == Share.recordType
        }
    }

    /// Counts the records that move to another share together with a record, because all writers of the
    /// database wait until they are moved. If the batch moves too many, it is refused as a whole, and clients
    /// send it in halves.
    private func spendMove<T: ZoneTransaction>(
        of name: String, _ progress: inout BatchProgress, in transaction: T
    ) throws {
        try progress.cascade.checkBalance()
        try progress.spendMoves(try transaction.subtreeCount(of: name), on: name)
    }

    /// Whether a record lies below another one. Throws `limitExceeded` if it lies too deep to find out.
    private func isBelow<T: ZoneTransaction>(
        _ name: String, _ top: String, in transaction: T
    ) throws -> Bool {
        let most = batch.limits.parentLevels
        if let answer = try transaction.isBelow(name, top, levels: most) { return answer }
        throw RecordError(
            .limitExceeded, "the parent lies more than \(most) levels below the root of its share",
            culprit: name, nextStep: "choose a parent nearer to the root")
    }

    /// Whether a participant may write a record of an owner's zone. Nobody but the owner may write shares.
    func mayWrite<T: ZoneTransaction>(_ name: String, _ person: String, in transaction: T) throws -> Bool {
        guard let head = try transaction.head(named: name)?.stored, head.type != Share.recordType,
            let terms = try terms(covering: name, in: transaction)
        else { return false }
        return terms.permission(of: person) == .readWrite
    }

    // MARK: After a save

    /// Updates shares, their feeds and members after a save.
    func settle<T: ZoneTransaction>(
        _ new: WrittenRecord, replacing old: WrittenRecord?, _ cover: CoverChange?,
        _ progress: inout BatchProgress, in transaction: inout T
    ) throws {
        let (name, sequence) = (new.stored.id.name, new.stored.sequence)
        if let terms = new.stored.sharing?.terms {
            let before = old?.stored.sharing?.terms
            if before == nil {
                try open(new, terms, &progress, in: &transaction)
            } else if transaction.shares == .records {
                try transaction.renew(name, sequence: sequence)
            }
            try settleMembers(of: new, from: before, to: terms, in: &transaction)
            return
        }
        if let guid = new.stored.shortGUID, old?.stored.shortGUID == nil {
            try transaction.setShortGUID(guid, of: name)
        }
        guard let cover else { return }
        if cover.isCreation, let share = cover.new {
            try transaction.cover(name, by: share, sequence: sequence)
        } else if cover.old == cover.new {
            try transaction.renew(name, sequence: sequence)
        } else {
            try transaction.moveSubtree(of: name, from: cover.old, to: cover.new)
        }
    }

    private func open<T: ZoneTransaction>(
        _ share: WrittenRecord, _ terms: Share, _ progress: inout BatchProgress, in transaction: inout T
    ) throws {
        let name = share.stored.id.name
        try transaction.open(share.ordinal, named: name, root: terms.root)
        try transaction.setShortGUID(terms.shortGUID, of: terms.root ?? Share.zoneWideName)
        guard let root = terms.root else { return }
        try setSharing(
            .root(of: name), shortGUID: terms.shortGUID, of: root, &progress, &transaction)
        try transaction.moveSubtree(of: root, from: nil, to: share.ordinal)
        try transaction.cover(name, by: share.ordinal, sequence: share.stored.sequence)
    }

    private func settleMembers<T: ZoneTransaction>(
        of share: WrittenRecord, from old: Share?, to new: Share, in transaction: inout T
    ) throws {
        let (joining, leaving) = ShareRules.memberships(from: old, to: new)
        for person in joining {
            try transaction.join(person, share.ordinal, sequence: share.stored.sequence)
        }
        for person in leaving {
            try transaction.leave(person, share.ordinal, sequence: share.stored.sequence)
        }
    }

    /// Sets the sharing metadata of a root. A root that the batch has saved keeps its new version; any other
    /// gets a new version.
    func setSharing<T: ZoneTransaction>(
        _ sharing: Sharing?, shortGUID: String?, of root: String, _ progress: inout BatchProgress,
        _ transaction: inout T
    ) throws {
        guard let (old, ordinal) = try transaction.head(named: root) else { return }
        var head = old
        head.sharing = sharing
        head.shortGUID = shortGUID ?? head.shortGUID
        try transaction.rewrite(head, ordinal)
        if progress.saved.contains(root) {
            progress.rewritten.insert(root)
            return
        }
        let sequence = transaction.nextSequence()
        try transaction.touch(head, ordinal, modified: batch.stamp, sequence: sequence)
    }

    /// Removes a participant from a share, on the participant's request.
    func leave<T: ZoneTransaction>(
        _ share: WrittenRecord, _ terms: Share, _ person: String, in transaction: inout T
    ) throws {
        let owner = terms.participants.first { $0.role == .owner }?.person ?? ""
        let rules = ShareRules(name: share.stored.id.name, owner: owner, limits: batch.limits)
        let rest = rules.left(by: person, on: terms)
        var new = share
        new.stored.sharing = .share(rest)
        new.stored.modified = batch.stamp
        new.stored.sequence = transaction.nextSequence()
        try transaction.update(share, to: new)
        transaction.count(new.usage - share.usage, by: new.stored.created.by)
        if transaction.shares == .records {
            try transaction.renew(new.stored.id.name, sequence: new.stored.sequence)
        }
        try settleMembers(of: new, from: terms, to: rest, in: &transaction)
    }
}
