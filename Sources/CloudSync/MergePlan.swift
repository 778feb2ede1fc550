import LocalReplica
import Records

/// What to do with one record.
///
/// | on this device    | the server: as before | changed              | gone              |
/// |-------------------|-----------------------|----------------------|-------------------|
/// | in step           | nothing               | take it              | remove it         |
/// | edited            | nothing, send later   | merge by field, send | send it as new    |
/// | made, never sent  | nothing, send later   | merge by field, send | nothing, send     |
/// | deleted           | nothing, send later   | take it: edits win   | remove it         |
///
/// What was typed wins over what was deleted, and nothing that was typed is lost.
///
/// After an answer was lost, the server's version may come of what this device sent (see `Arrival`): then
/// that is what both came from, and only the edits made since go on top. What arrived and is gone was deleted
/// by somebody who had seen it, and goes.
enum MergePlan: Equatable {
    /// What the server has.
    enum Server: Equatable {
        case version(tag: String, Fields)
        case gone
    }

    case nothing
    /// The server's version holds.
    case take(String)
    /// It is gone on both sides.
    case remove(String)
    /// These fields go over the server's version; nil: its deletion does.
    case send(Fields?, String, notes: [String])
    /// The server is to get it as a record that it never had.
    case sendAsNew(String)

    static func plan(
        _ row: ReplicaRow?, _ server: Server, _ policy: MergePolicy, _ arrival: Arrival = .unknown
    ) -> MergePlan {
        guard let row else {
            if case .version = server { return .take("") }
            return .nothing
        }
        let isPending = row.change > 0
        switch server {
        case .gone: return isPending ? pendingGone(row, arrival) : .remove("")
        case .version(let tag, let fields):
            if tag == row.tag { return .nothing }
            return isPending ? pending(row, fields, policy, arrival) : .take("")
        }
    }

    private static func pendingGone(_ row: ReplicaRow, _ arrival: Arrival) -> MergePlan {
        guard row.fields != nil else { return .remove("") }
        if arrival == .arrived {
            // Deleted by this device itself, and made again since.
            if row.sentFields == nil { return .sendAsNew("") }
            if row.change == row.sent { return .remove("") }
        } else if row.tag == nil {
            return .nothing
        }
        return .sendAsNew("edited here, deleted there: kept")
    }

    private static func pending(
        _ row: ReplicaRow, _ server: Fields, _ policy: MergePolicy, _ arrival: Arrival
    ) -> MergePlan {
        guard let local = row.fields else {
            let isOwn = arrival != .missed && row.sentFields == server
            return isOwn ? .send(nil, "", notes: []) : .take("deleted here, edited there: kept")
        }
        let base =
            switch arrival {
            case .arrived: row.sentFields
            case .missed: row.serverFields
            case .unknown:
                row.sentFields.map {
                    SentFields($0, over: row.serverFields).base(for: server, type: row.type, policy)
                } ?? row.serverFields
            }
        let merge = FieldMerge(
            base: base, local: local, server: server, type: row.type, policy: policy)
        let what = base == server || base == local ? "" : "edited here, changed there: merged"
        return merge.fields == server ? .take(what) : .send(merge.fields, what, notes: merge.notes)
    }
}
