package import Records

/// Decides what an operation does to the terms of a share (CKShare, *Sharing Data with Other iCloud Users*).
///
/// These rules use the terms only. The rules about the zone of a share are in `SharePlace`.
package struct ShareRules: Sendable {
    /// The record name of the share, for errors.
    package var name: String
    /// The person who owns the database.
    package var owner: String
    package var limits: Limits

    package init(name: String, owner: String, limits: Limits) {
        self.name = name
        self.owner = owner
        self.limits = limits
    }

    // MARK: The owner

    /// Returns the terms of a new share.
    package func created(_ draft: ShareDraft, shortGUID: String) throws(RecordError) -> Share {
        let owner = Participant(
            id: owner, person: owner, role: .owner, permission: .readWrite, acceptance: .accepted)
        let empty = Share(root: draft.root, shortGUID: shortGUID, participants: [owner])
        // A new share has nobody whom its first public permission could remove.
        return try saved(draft, on: empty)
    }

    /// Returns the terms after the owner or an administrator saved them.
    ///
    /// A public permission removes the people who have not accepted; its end removes all people but the owner
    /// and those that the same save adds. People can be added only while there is no public permission. A
    /// save never changes who has accepted.
    ///
    /// - Parameter administrator: the person who saves; nil for the owner. Throws `accessDenied` if an
    ///   administrator changes their own role or permission, or grants more than they have.
    package func saved(
        _ draft: ShareDraft, on old: Share, by administrator: String? = nil
    ) throws(RecordError) -> Share {
        // Comparing people takes long, so a list that is too long is refused first.
        try checkCount(draft.participants?.count ?? 0)
        if let root = draft.root, root != old.root {
            throw RecordError(
                .badRequest, "a share keeps its root", culprit: name,
                nextStep: "delete the share, and share the other record")
        }
        var new = old
        let permission = draft.publicPermission ?? old.publicPermission
        new.publicPermission = permission
        var (given, base) = (draft.participants, old)
        if old.publicPermission != .none, permission == .none {
            // A person whom the same save invites again has a new id.
            given?.removeAll { one in old.participants.contains { $0.id == one.id } }
            base.participants.removeAll { $0.role != .owner }
        }
        let (kept, added) = try participants(given, of: base)
        if permission == .none {
            new.participants = kept + added
        } else {
            try refuse(added)
            let isOpening = old.publicPermission == .none
            new.participants = isOpening ? kept.filter { $0.acceptance == .accepted } : kept
        }
        if let administrator { try checkGrants(of: administrator, from: old, to: new) }
        try answerRequests(draft, of: old, in: &new)
        try checkCount(new.participants.count)
        return new
    }

    /// Throws if an administrator changes their own part in a share, or gives anybody a permission that the
    /// administrator does not have.
    private func checkGrants(
        of administrator: String, from old: Share, to new: Share
    ) throws(RecordError) {
        let own = old.permission(of: administrator)
        func refuse(_ culprit: String) -> RecordError {
            RecordError(
                .accessDenied, "an administrator may not grant more than their own permission",
                culprit: culprit, nextStep: "ask the owner to change the permission")
        }
        if new.publicPermission.exceeds(old.publicPermission), new.publicPermission.exceeds(own) {
            throw refuse(name)
        }
        for participant in new.participants {
            let before = old.participants.first { $0.id == participant.id }
            if participant.person == administrator, let before,
                participant.role != before.role || participant.permission != before.permission
            {
                throw RecordError(
                    .accessDenied, "an administrator may not change their own role or permission",
                    culprit: administrator, nextStep: "ask the owner to change it")
            }
            let granted = new.grantedPermission(of: participant)
            let earlier = before.map { old.grantedPermission(of: $0) } ?? Participant.Permission.none
            if granted.exceeds(earlier), granted.exceeds(own) {
                throw refuse(participant.person ?? participant.address?.value ?? participant.id)
            }
        }
    }

    /// Returns the participants that a save keeps, with their new roles and permissions, and those that it
    /// adds.
    private func participants(
        _ given: [Participant]?, of old: Share
    ) throws(RecordError) -> (kept: [Participant], added: [Participant]) {
        guard let given else { return (old.participants, []) }
        var kept: [Participant] = []
        for var participant in old.participants {
            let wish = given.first { $0.isSamePerson(as: participant) }
            if participant.role == .owner {
                kept.append(participant)
            } else if let wish {
                if participant.role != .publicUser, wish.role == .administrator || wish.role == .privateUser {
                    participant.role = wish.role
                }
                participant.permission = wish.permission
                kept.append(participant)
            }
        }
        var added: [Participant] = []
        for var participant in given {
            let isKnown = (kept + added).contains { $0.isSamePerson(as: participant) }
            if isKnown || participant.role == .owner { continue }
            try checkTexts(of: participant)
            if participant.isOneTime, participant.id.utf8.count < Self.oneTimeBytes {
                throw RecordError(
                    .badRequest,
                    "a participant has neither an address nor a user record name, and too short an id",
                    culprit: name,
                    nextStep: "look the person up, and add the participant that you get; for a one-time "
                        + "link, leave out participantId")
            }
            if participant.role == .publicUser { participant.role = .privateUser }
            participant.acceptance = .invited
            participant.name = Participant.Name()
            added.append(participant)
        }
        return (kept, added)
    }

    /// Throws unless the id, record name and address of a participant are as short as a record name and have
    /// no control characters: every reader of the share gets them.
    func checkTexts(of participant: Participant) throws(RecordError) {
        for text in [participant.id, participant.person, participant.address?.value] {
            guard let text else { continue }
            if text.utf8.count > limits.nameCharacters {
                throw RecordError(
                    .badRequest, "a participant's id, user record name or address is too long",
                    culprit: String(text.prefix(60)),
                    nextStep: "use at most \(limits.nameCharacters) bytes for each")
            }
            if text.hasControlCharacters {
                throw RecordError(
                    .badRequest, "a participant's id, user record name or address has control characters",
                    culprit: name, nextStep: "leave these characters out")
            }
        }
    }

    /// The fewest bytes of the id in a one-time link: 32 hexadecimal digits cannot be guessed.
    private static let oneTimeBytes = 32

    private func refuse(_ added: [Participant]) throws(RecordError) {
        guard let first = added.first else { return }
        throw RecordError(
            .badRequest, "people cannot be added to a share with a public permission",
            culprit: first.address?.value ?? first.person ?? first.id,
            nextStep: "send the person the share's URL, or set the public permission to NONE")
    }

    private func checkCount(_ count: Int) throws(RecordError) {
        let most = limits.participantsPerShare
        if count <= most { return }
        throw RecordError(
            .tooManyParticipants, "a share has at most \(most) participants, its owner included",
            culprit: name,
            nextStep: "remove participants first, or give the share a public permission")
    }

    // MARK: Participants

    /// Returns the terms after a person accepted: as an invited participant if there is one with the person's
    /// user record name or one of the addresses, or a one-time participant with the id, else as a public one.
    /// The person's request for access, if there is one, is removed. A person who has accepted already
    /// changes nothing. Throws `notFound` for a blocked person, however the person is invited.
    package func accepted(
        by person: String, addresses: Set<ContactAddress>, id: String,
        name personName: Participant.Name = Participant.Name(), on old: Share
    ) throws(RecordError) -> Share {
        if person == owner {
            throw RecordError(
                .badRequest, "the owner cannot accept the share", culprit: name,
                nextStep: "open the record in the private database")
        }
        try refuseBlocked(person, on: old)
        var new = old
        new.requesters.removeAll { $0.person == person }
        let place =
            old.participants.firstIndex { $0.person == person }
            ?? Self.invitation(to: addresses, oneTime: id, in: old)
        if let place {
            if new.participants[place].acceptance == .accepted { return old }
            new.participants[place].person = person
            new.participants[place].acceptance = .accepted
            new.participants[place].name = personName
            return new
        }
        // Another person may have used the one-time link with this id already.
        guard old.publicPermission != .none, !old.participants.contains(where: { $0.id == id }) else {
            throw RecordError(
                .accessDenied, "only invited people can accept this share", culprit: name,
                nextStep: "ask the owner for an invitation to your address")
        }
        new.participants.append(
            Participant(
                id: id, person: person, role: .publicUser, permission: old.publicPermission,
                acceptance: .accepted, name: personName))
        try checkCount(new.participants.count)
        return new
    }

    /// The index of the participant whose invitation a new person accepts: one to an address of the person,
    /// else the one-time invitation with the id; nil if there is neither.
    package static func invitation(
        to addresses: Set<ContactAddress>, oneTime id: String?, in terms: Share
    ) -> Int? {
        terms.participants.firstIndex { one in
            one.person == nil && (one.address.map { addresses.contains($0) } ?? false)
        } ?? terms.participants.firstIndex { $0.isOneTime && $0.id == id }
    }

    /// Returns the terms after a participant left; unchanged terms for a person who is not a participant.
    package func left(by person: String, on old: Share) -> Share {
        var new = old
        new.participants.removeAll { $0.person == person && $0.role != .owner }
        return new
    }

    // MARK: Membership

    /// The people who join and leave a share when its terms change; nil for terms if there is no share. A
    /// participant who may not read from now on leaves, even one who could not read before: earlier versions
    /// of these rules may have left such a membership open.
    package static func memberships(
        from old: Share?, to new: Share?
    ) -> (joining: [String], leaving: [String]) {
        let (before, after) = (old?.members ?? [], new?.members ?? [])
        let people = (old?.participants ?? []).filter { $0.role != .owner && $0.acceptance == .accepted }
        let leaving = Set(people.compactMap(\.person)).subtracting(after)
        return (after.subtracting(before).sorted(), leaving.sorted())
    }
}
