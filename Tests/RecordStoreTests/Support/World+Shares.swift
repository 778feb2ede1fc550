import RecordStore
import Records

func invited(_ person: String, _ permission: Participant.Permission = .readWrite) -> Participant {
    Participant(id: "participant\(person)", person: person, permission: permission)
}

/// Creates a share in a batch with its root, or with the root's change tag; of the whole zone without a root.
func share(
    _ name: String = Share.zoneWideName, of root: String?, with people: [Participant] = [],
    tag: ChangeTag? = nil, guid: String? = nil
) -> RecordOperation {
    RecordOperation(
        .create, recordName: name, recordType: Share.recordType,
        share: .save(ShareDraft(root: root, rootTag: tag, participants: people)),
        shortGUID: guid ?? "guid-\(name)")
}

/// Replaces the participants of a share.
func invite(_ people: [Participant], to share: String) -> RecordOperation {
    RecordOperation(
        .forceUpdate, recordName: share, recordType: Share.recordType,
        share: .save(ShareDraft(participants: people)))
}

func accept(_ share: String, by person: String) -> RecordOperation {
    RecordOperation(
        .forceUpdate, recordName: share, recordType: Share.recordType,
        share: .accept(person: person, addresses: [], id: "new\(person)"))
}

/// Sets the parent of a record, or removes it.
func move(_ name: String, under parent: String?) -> RecordOperation {
    RecordOperation(
        .forceUpdate, recordName: name, recordType: "Party",
        parent: parent.map(RecordOperation.ParentChange.set) ?? .remove)
}

/// A root, a line below it, a record outside, and a share `s` to which Bob is invited.
private func sharedNote(guid: String?) -> [RecordOperation] {
    [
        create("note"), create("line", parent: "note"), create("outside"),
        share("s", of: "note", with: [invited("_bob")], guid: guid),
    ]
}

extension World {
    /// Creates a zone with a root, a line below it, a record outside, and a share `s` that Bob has accepted.
    func shareNote(in zone: String = "Z") async throws {
        _ = try await store.createZone(named: zone)
        try await commit(sharedNote(guid: zone == "Z" ? nil : "guid-\(zone)"), zone: zone)
        try await commit([accept("s", by: "_bob")], zone: zone)
    }

    /// The names of the shares that cover these records of the zone Z; "-" for none.
    func covering(_ names: String...) async throws -> [String] {
        try await store.shares(covering: names, in: "Z").map { $0 ?? "-" }
    }

    /// The changes of the zone Z that a person sees after a token, read in small pages, with the next token.
    func shared(
        with person: String, since token: ChangeToken? = nil, page size: Int = 2
    ) async throws -> (changes: [String], token: ChangeToken) {
        var all: [String] = []
        var request = ChangesRequest(zone: "Z", since: token, limit: size)
        while true {
            let page = try await store.sharedChanges(request, for: person)
            all += page.changes.map(\.brief)
            if !page.moreComing { return (all, page.token) }
            request.since = page.token
        }
    }
}
