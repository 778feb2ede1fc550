import Records

extension BatchRules {
    /// Notes in a record how its new references are kept, and which are not kept any more.
    ///
    /// Targets of validating and parent references must exist; a target takes a bounded number of delete-self
    /// sources. Dangling plain and delete-self references are legal.
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

    /// How a new reference is kept: as it is, or loosely when it comes from somebody who may not write the
    /// target, or before the target; nil for not at all.
    ///
    /// Strangers' references beyond so many are saved like plain ones, so that nobody's save is refused for
    /// what others saved.
    private func form<T: ZoneTransaction>(
        of binding: Binding, from new: WrittenRecord, _ batch: WriteBatch,
        _ progress: inout BatchProgress, in transaction: inout T
    ) throws -> Binding? {
        let isOwn = binding.target == new.stored.id.name
        var mayBind = true
        if !isOwn, let mayWrite = batch.mayWrite {
            let target = try transaction.head(named: binding.target)?.stored
            if target == nil, binding.kind != .deleteSelf { throw Self.missing(binding) }
            // The one who writes now decides, not who made the source: that may be somebody else's to change.
            mayBind = target.map { mayWrite(batch.stamp.by, $0.type, $0.created.by) } ?? false
        } else if !isOwn, binding.kind != .deleteSelf, try !transaction.exists(named: binding.target) {
            throw Self.missing(binding)
        }
        guard binding.kind == .deleteSelf else { return mayBind ? binding : binding.loose }
        let most = batch.limits.deleteSelfSources
        let kept = mayBind ? binding : Binding(kind: .looseDeleteSelf, target: binding.target)
        if try !transaction.hasSources(of: kept.target, kind: kept.kind, count: most) { return kept }
        if !mayBind { return nil }
        if progress.fullTargets.insert(binding.target).inserted {
            try loosenStrangers(at: binding.target, batch, in: &transaction)
            if try !transaction.hasSources(of: kept.target, kind: kept.kind, count: most) {
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

    /// Keeps delete-self references loosely that count for a target and are not, or no longer, of people who
    /// may write it: older versions counted everybody's.
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
            let isFull = try transaction.hasSources(of: target, kind: .looseDeleteSelf, count: most)
            try transaction.rebind(source.ordinal, name, from: binding, to: isFull ? nil : binding.loose)
        }
    }
}
