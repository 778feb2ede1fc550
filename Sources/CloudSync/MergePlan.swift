import LocalReplica
import Records

/// The decision about one record whose server version may have changed.
///
/// | on this device    | the server: as before | changed              | gone              |
/// |-------------------|-----------------------|----------------------|-------------------|
/// | unchanged         | nothing               | take it              | remove it         |
/// | edited            | nothing, send later   | merge by field, send | send it as new    |
/// | made, never sent  | nothing, send later   | merge by field, send | nothing, send     |
/// | deleted           | nothing, send later   | take it: edits win   | remove it         |
///
/// An edit wins over a deletion, so that no record with edits is lost. In another owner's zone, a missing
/// record may merely have left the share. So the edit keeps the version that it is based on, and that version
/// is the base of the merge if the record is shared again.
///
/// After an unanswered request, the server's version may contain what this device sent (`BatchDelivery`).
/// Then the sent fields are the base of the merge, and only later edits are applied to the server's version.
/// If an edit arrived and the record is gone, somebody who had seen the edit deleted the record, so it is
/// removed.
///
/// For a share, the server's version always replaces an edit of this device: the replica does not have the
/// participants and the URL, so it cannot save a share that the server does not have.
enum MergePlan: Equatable {
    /// The server's version of the record.
    enum Server: Equatable {
        case version(tag: String, Fields)
        case gone
    }

    case nothing
    /// Take the server's version. The text describes the conflict; it is empty if there is none.
    case useServer(String)
    /// Remove the record: it is deleted on both sides, or was not edited here.
    case remove(String)
    /// Send these fields over the server's version; nil deletes that version.
    case send(Fields?, String, notes: [String])
    /// Send the record as a new one. `base` is the version on which its edit is based, if it is to be kept.
    case sendAsNew(String, base: Fields?)

    static func plan(
        _ row: ReplicaRow?, _ server: Server, _ policy: MergePolicy, _ delivery: BatchDelivery = .unknown
    ) -> MergePlan {
        guard let row else {
            if case .version = server { return .useServer("") }
            return .nothing
        }
        let isPending = row.change > 0 && (row.type != Share.recordType || row.fields == nil)
        switch server {
        case .gone: return isPending ? pendingGone(row, delivery) : .remove("")
        case .version(let tag, let fields):
            if tag == row.tag { return .nothing }
            return isPending ? pending(row, fields, policy, delivery) : .useServer("")
        }
    }

    private static func pendingGone(_ row: ReplicaRow, _ delivery: BatchDelivery) -> MergePlan {
        guard row.fields != nil else { return .remove("") }
        if delivery == .applied {
            // This device deleted the record, and created it again since.
            if row.sentFields == nil { return .sendAsNew("", base: nil) }
            if row.change == row.sent { return .remove("") }
        } else if row.tag == nil {
            return .nothing
        }
        let base = delivery == .applied ? row.sentFields : row.mergeBase
        return .sendAsNew(
            "edited here, deleted on the server: kept the edit", base: row.id.zone.isShared ? base : nil)
    }

    private static func pending(
        _ row: ReplicaRow, _ server: Fields, _ policy: MergePolicy, _ delivery: BatchDelivery
    ) -> MergePlan {
        guard let local = row.fields else {
            let isOwn = delivery != .notApplied && row.sentFields == server
            return isOwn
                ? .send(nil, "", notes: []) : .useServer("deleted here, edited on the server: kept the edit")
        }
        let base =
            switch delivery {
            case .applied: row.sentFields
            case .notApplied: row.mergeBase
            case .unknown:
                row.sentFields.map {
                    SentFields($0, over: row.mergeBase).base(for: server, type: row.type, policy)
                } ?? row.mergeBase
            }
        let merge = FieldMerge(
            base: base, local: local, server: server, type: row.type, policy: policy)
        let what = base == server || base == local ? "" : "edited here and on the server: merged"
        return merge.fields == server ? .useServer(what) : .send(merge.fields, what, notes: merge.notes)
    }
}
