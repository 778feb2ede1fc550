import CollaborativeText
import Foundation
import LocalReplica
import Records

/// Stores the edits of a note since the last call.
func keepEdits(of text: inout CollaborativeText, note: RecordID, in replica: LocalReplica) async throws {
    let contributions = text.takeContributions()
    guard let first = contributions.first?.id else { return }
    let id = RecordID(name: "\(note.name).\(first.site).\(first.number)", zone: note.zone)
    var edit = ReplicaRecord(type: "NoteEdit", id: id)
    edit.parent = note.name
    edit[field: "note"] = note.name
    edit[field: "contributions"] = TextContribution.bytes(of: contributions)
    let record = edit
    try await replica.write { try $0.save(record) }
}

/// Applies the edits of a note from all devices. Edits that were applied before change nothing.
func applyEdits(to text: inout CollaborativeText, note: RecordID, in replica: LocalReplica) async throws {
    let edits = try await replica.read { try $0.records(ofType: "NoteEdit", in: note.zone) }
    for edit in edits where edit[field: "note"] == note.name {
        let bytes: Data = try edit.required("contributions")
        try text.apply(TextContribution.contributions(in: bytes))
    }
}
