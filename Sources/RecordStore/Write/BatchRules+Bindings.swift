import Records

extension BatchRules {
    /// Sets `new.bound` and `new.unbound`: the bindings that this version of a record adds, and those that it
    /// ends.
    ///
    /// The targets of validating and parent references must exist. The number of delete-self references to
    /// one target is limited. Plain and delete-self references may point at missing records.
    func bind<T: ZoneTransaction>(
        _ new: inout WrittenRecord, replacing old: WrittenRecord?, of batch: WriteBatch,
        _ progress: inout BatchProgress, in transaction: inout T
    ) throws {
        let (before, after) = (old?.bindings ?? [], new.bindings)
        if before == after { return }
        let known = Set(before)
        for binding in after where !known.contains(binding) {
            if let kept = try form(of: binding, from: new, batch, &progress, in: &transaction) {
                new.bound.append(kept)
            }
        }
        let kept = Set(after)
        new.unbound = before.filter { !kept.contains($0) }.flatMap(\.forms)
    }

    /// Returns the form in which to store a new reference: unchanged; loose, if its writer may not write the
    /// target or the target does not exist yet; nil for no entry.
    ///
    /// A loose reference beyond the limit gets no entry, like a plain reference, so that no save is refused
    /// because of other people's references.
    private func form<T: ZoneTransaction>(
        of binding: Binding, from new: WrittenRecord, _ batch: WriteBatch,
        _ progress: inout BatchProgress, in transaction: inout T
    ) throws -> Binding? {
        let isOwn = binding.target == new.stored.id.name
        var mayBind = true
        if !isOwn, let mayWrite = batch.mayWrite {
            let target = try transaction.head(named: binding.target)?.stored
            if target == nil, binding.kind != .deleteSelf { throw Self.missing(binding) }
            // The current writer's permission decides, not that of the record's creator, who may be a
            // different person.
            mayBind = target.map { mayWrite(batch.stamp.by, $0.type, $0.created.by) } ?? false
        } else if !isOwn, let person = batch.participant, binding.kind != .parent {
            // A record that the participant may not write must not depend on the participant's, and looks
            // like a missing one if the participant may not see it.
            mayBind = try SharingRules(batch).mayWrite(binding.target, person, in: transaction)
            if !mayBind {
                if binding.kind == .deleteSelf { return nil }
                throw Self.missing(binding)
            }
        } else if !isOwn, binding.kind != .deleteSelf, try !transaction.exists(named: binding.target) {
            throw Self.missing(binding)
        }
        guard binding.kind == .deleteSelf else { return mayBind ? binding : binding.loose }
        let most = batch.limits.deleteSelfSources
        let kept = mayBind ? binding : Binding(kind: .looseDeleteSelf, target: binding.target)
        if !mayBind, progress.fullLooseTargets.contains(kept.target) { return nil }
        if try progress.admitsSource(of: kept, upTo: most, in: transaction) { return kept }
        if !mayBind {
            progress.fullLooseTargets.insert(kept.target)
            return nil
        }
        if progress.fullTargets.insert(binding.target).inserted {
            try loosenStrangers(at: binding.target, batch, in: &transaction)
            if try progress.admitsSource(of: kept, upTo: most, in: transaction) {
                progress.fullTargets.remove(binding.target)
                return kept
            }
        }
        throw RecordError(
            .limitExceeded, "more than \(most) records refer to one target with DELETE_SELF",
            culprit: binding.target, nextStep: "use plain references, or spread over several targets"
        )
    }

    private static func missing(_ binding: Binding) -> RecordError {
        RecordError(
            .validatingReference, "the target of a reference does not exist", culprit: binding.target,
            nextStep: "save the target first, or in the same request"
        )
    }

    /// Makes those delete-self references loose whose creators may not write the target, or no longer may.
    /// Older versions stored the references of all people as binding ones, which count for the target's
    /// limit.
    private func loosenStrangers<T: ZoneTransaction>(
        at target: String, _ batch: WriteBatch, in transaction: inout T
    ) throws {
        guard let mayWrite = batch.mayWrite, let head = try transaction.head(named: target)?.stored else {
            return
        }
        let binding = Binding(kind: .deleteSelf, target: target)
        let most = batch.limits.deleteSelfSources
        for name in try transaction.sources(of: target, kind: .deleteSelf, limit: most) {
            guard let source = try transaction.head(named: name),
                !mayWrite(source.stored.created.by, head.type, head.created.by)
            else { continue }
            let count = try transaction.sourceCount(of: target, kind: .looseDeleteSelf, upTo: most)
            let loose = count < most ? binding.loose : nil
            try transaction.rebind(source.ordinal, name, from: binding, to: loose)
        }
    }
}
