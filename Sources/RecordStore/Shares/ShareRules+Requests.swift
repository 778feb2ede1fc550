package import Records

/// Requests for access by people who are not invited (CKShare, *allowsAccessRequests*).
extension ShareRules {
    /// Returns the terms after a person asked for access. A repeated request changes nothing.
    ///
    /// Throws `notFound` if the share allows no requests or the person is blocked, so that it seems missing;
    /// `participantAlreadyInvited`; and `limitExceeded` if as many people wait as a share has participants.
    package func requested(by requester: AccessRequester, on old: Share) throws(RecordError) -> Share {
        try refuseBlocked(requester.person, on: old)
        if old.participant(requester.person) != nil || old.publicPermission != .none {
            throw Self.alreadyInvited(name)
        }
        if !old.allowsRequests {
            throw RecordError(
                .notFound, "there is no share that takes requests for access", culprit: name,
                nextStep: "check the link, or ask the owner for an invitation")
        }
        if old.requesters.contains(where: { $0.person == requester.person }) { return old }
        guard old.requesters.count < limits.participantsPerShare else {
            throw RecordError(
                .limitExceeded,
                "\(limits.participantsPerShare) people wait for an answer to their requests already",
                culprit: name, nextStep: "ask the owner for an invitation, or try again later",
                retryAfter: 3600)
        }
        var new = old
        new.requesters.append(requester)
        return new
    }

    /// Throws `notFound` for a blocked person, to whom the share seems missing.
    func refuseBlocked(_ person: String, on terms: Share) throws(RecordError) {
        guard terms.isBlocked(person) else { return }
        throw RecordError(
            .notFound, "there is no share with this short GUID", culprit: name,
            nextStep: "check the link, or ask the owner for an invitation")
    }

    /// The error for a request by a person who needs none.
    package static func alreadyInvited(_ culprit: String) -> RecordError {
        RecordError(
            .participantAlreadyInvited, "you may accept this share already", culprit: culprit,
            nextStep: "accept it instead of asking for access")
    }

    /// Applies the part of a save that concerns requests: denies and blocks people, and removes invited
    /// people from the list of requesters. A blocked person is no longer a participant.
    func answerRequests(_ draft: ShareDraft, of old: Share, in new: inout Share) throws(RecordError) {
        new.allowsRequests = draft.allowsRequests ?? old.allowsRequests
        if let blocked = draft.blocked { try block(blocked, of: old, in: &new) }
        let refused = Set(new.blocked.map(\.person))
        let added = new.participants.first { one in
            one.role != .owner && one.person.map { refused.contains($0) } ?? false
                && !old.participants.contains { $0.id == one.id }
        }
        if let added {
            throw RecordError(
                .badRequest, "a blocked person cannot be invited", culprit: added.person ?? added.id,
                nextStep: "take the person off the list of blocked people in the same save")
        }
        new.participants.removeAll { one in
            one.role != .owner && one.person.map { refused.contains($0) } ?? false
        }
        let asking = Set(old.requesters.map(\.person))
        for (index, one) in new.participants.enumerated() {
            if old.participants.contains(where: { $0.id == one.id }) { continue }
            let request = old.requesters.first { $0.person == one.person }
            new.participants[index].isApprovedRequester = request != nil
            if let request, one.name == Participant.Name() { new.participants[index].name = request.name }
        }
        let waiting = draft.requesters.map { Set($0) } ?? asking
        new.requesters = old.requesters.filter { one in
            new.allowsRequests && new.publicPermission == .none && waiting.contains(one.person)
                && !refused.contains(one.person) && new.participant(one.person) == nil
        }
    }

    private func block(_ people: [String], of old: Share, in new: inout Share) throws(RecordError) {
        guard people.count <= limits.participantsPerShare else {
            throw RecordError(
                .limitExceeded, "a share blocks at most \(limits.participantsPerShare) people",
                culprit: name, nextStep: "unblock people, or stop allowing requests")
        }
        var known: [String: AccessRequester] = [:]
        for one in old.participants {
            if let person = one.person { known[person] = AccessRequester(person: person, name: one.name) }
        }
        for one in old.requesters + old.blocked { known[one.person] = one }
        var seen: Set<String> = []
        new.blocked = []
        for person in people where seen.insert(person).inserted {
            if person == owner {
                throw RecordError(
                    .badRequest, "the owner of a share cannot be blocked", culprit: person,
                    nextStep: "name another person")
            }
            try checkTexts(of: Participant(id: "", person: person))
            new.blocked.append(known[person] ?? AccessRequester(person: person))
        }
    }
}
