import Foundation
internal import Records
internal import RecordsWire

extension WireContext {
    /// Converts a server record to a `CKRecord`, or to a `CKShare` if it has the terms of a share.
    func record(_ record: Record) -> CKRecord {
        let plain = CKRecord(record, context: self)
        guard let terms = record.sharing?.terms else { return plain }
        let share = CKShare(
            state: plain.state.current, sharing: CKShare.Sharing(terms, zone: plain.recordID.zoneID))
        share.claimParticipants()
        return share
    }
}

extension ShareDraft {
    /// Creates the draft that a save sends: the terms that have changed since the last save. Throws
    /// `RecordError` if an address is invalid.
    init(
        root: CKRecordID?, _ terms: CKShare.Sharing.Terms, replacing saved: CKShare.Sharing.Terms?
    ) throws {
        self.init(root: root?.recordName)
        if terms.permission != saved?.permission {
            let permission = CKShare.ParticipantPermission(rawValue: terms.permission) ?? .unknown
            publicPermission = Participant.Permission(permission)
        }
        if terms.participants != saved?.participants {
            participants = try terms.participants.map { try Participant($0) }
        }
        guard let requests = terms.requests, requests != saved?.requests else { return }
        let (known, none) = (saved?.requests, [String]())
        if requests.areAllowed != known?.areAllowed ?? false { allowsRequests = requests.areAllowed }
        if requests.requesters != known?.requesters ?? none { requesters = requests.requesters }
        if requests.blocked != known?.blocked ?? none { blocked = requests.blocked }
    }
}

extension CKShare {
    /// Marks the participants as belonging to this share.
    fileprivate func claimParticipants() {
        for participant in participants { _ = participant.join(recordID) }
    }

    /// Copies the terms that the server has saved. If the terms have changed since `sent`, the app's terms
    /// are kept. Names of people that only this device knows are kept in any case.
    func adopt(_ terms: Share, sent: Sharing.Terms?) {
        let server = Sharing(terms, zone: recordID.zoneID)
        sharing.withLock { sharing in
            sharing.root = server.root
            sharing.url = server.url ?? sharing.url
            sharing.oneTimeURLs = server.oneTimeURLs
            guard sharing.terms == sent else {
                sharing.saved = server.saved
                return
            }
            let before = sharing
            sharing.publicPermission = server.publicPermission
            sharing.participants = server.participants.map { before.adopted($0) }
            sharing.allowsAccessRequests = server.allowsAccessRequests
            (sharing.requesters, sharing.blocked) = (server.requesters, server.blocked)
            sharing.refusals = []
            sharing.saved = sharing.terms
        }
        claimParticipants()
    }
}

extension CKShare.Sharing {
    /// Creates the state from the server's terms.
    init(_ terms: Share, zone: CKRecordZoneID) {
        self.init(root: terms.root.map { CKRecordID(recordName: $0, zoneID: zone) })
        publicPermission = CKShare.ParticipantPermission(terms.publicPermission)
        participants = terms.participants.map { participant in
            CKShareParticipant(ArchivedParticipant(participant, isCaller: participant.id == terms.callerID))
        }
        url = terms.url.flatMap { URL(string: $0) }
        for participant in terms.participants where participant.isOneTime {
            oneTimeURLs[participant.id] = terms.url.flatMap {
                URL(string: $0 + Participant.linkSeparator + participant.id)
            }
        }
        allowsAccessRequests = terms.allowsRequests
        requesters = terms.requesters.map { CKShareAccessRequester(ArchivedIdentity($0)) }
        blocked = terms.blocked.map { CKShareBlockedIdentity(ArchivedIdentity($0)) }
        saved = self.terms
    }

    /// Returns the app's existing object for a participant, updated to the server's state; the server's
    /// object if the app has none.
    fileprivate func adopted(_ server: CKShareParticipant) -> CKShareParticipant {
        guard let known = participants.first(where: { $0.isEqual(server) }) else { return server }
        var state = server.state.current
        state.keep(known.state.current)
        known.state.withLock { $0 = state }
        return known
    }
}

extension ArchivedParticipant {
    /// Copies the values that the server does not return from the previous state.
    fileprivate mutating func keep(_ old: ArchivedParticipant) {
        if identity.givenName == nil, identity.familyName == nil {
            identity.givenName = old.identity.givenName
            identity.familyName = old.identity.familyName
        }
        identity.lookup = identity.lookup ?? old.identity.lookup
        identity.contacts = old.identity.contacts
        isOneTime = old.isOneTime
    }
}

extension ArchivedIdentity {
    fileprivate init(_ requester: AccessRequester) {
        self.init(user: RecordID(CKRecordID(recordName: requester.person)))
        givenName = requester.name.given
        familyName = requester.name.family
    }
}

extension ArchivedParticipant {
    fileprivate init(_ participant: Participant, isCaller: Bool) {
        let user = isCaller ? CKCurrentUserDefaultName : participant.person
        let lookup: ArchivedLookupInfo? =
            switch participant.address {
            case .email(let address)?: .email(address)
            case .phone(let number)?: .phone(number)
            case nil: nil
            }
        self.init(
            id: participant.id,
            identity: ArchivedIdentity(
                user: user.map { RecordID(CKRecordID(recordName: $0)) }, lookup: lookup))
        identity.givenName = participant.name.given
        identity.familyName = participant.name.family
        role = CKShare.ParticipantRole(participant.role).rawValue
        permission = CKShare.ParticipantPermission(participant.permission).rawValue
        let status: CKShare.ParticipantAcceptanceStatus =
            participant.acceptance == .accepted ? .accepted : .pending
        acceptance = status.rawValue
        isApprovedRequester = participant.isApprovedRequester
    }
}

extension Participant {
    /// Throws `badRequest` if the address is invalid.
    fileprivate init(_ plain: ArchivedParticipant) throws {
        var person = plain.identity.user?.name
        // The server finds the person of this device by the participant's ID.
        if person == CKCurrentUserDefaultName { person = nil }
        var address: ContactAddress?
        switch plain.identity.lookup {
        case .email(let text)?: address = try ContactAddress(email: text)
        case .phone(let text)?: address = try ContactAddress(phone: text)
        case .user(let id)?: person = person ?? id.name
        case nil: break
        }
        self.init(
            id: plain.id, person: person, address: address,
            role: Role(CKShare.ParticipantRole(rawValue: plain.role) ?? .unknown),
            permission: Permission(CKShare.ParticipantPermission(rawValue: plain.permission) ?? .unknown))
    }
}

extension CKShare.ParticipantRole {
    fileprivate init(_ role: Participant.Role) {
        switch role {
        case .owner: self = .owner
        case .administrator: self = .administrator
        case .privateUser: self = .privateUser
        case .publicUser: self = .publicUser
        }
    }
}

extension Participant.Role {
    fileprivate init(_ role: CKShare.ParticipantRole) {
        switch role {
        case .owner: self = .owner
        case .administrator: self = .administrator
        case .privateUser, .unknown: self = .privateUser
        case .publicUser: self = .publicUser
        }
    }
}

extension CKShare.ParticipantPermission {
    fileprivate init(_ permission: Participant.Permission) {
        switch permission {
        case .none: self = .none
        case .readOnly: self = .readOnly
        case .readWrite: self = .readWrite
        }
    }
}

extension Participant.Permission {
    fileprivate init(_ permission: CKShare.ParticipantPermission) {
        switch permission {
        case .none, .unknown: self = .none
        case .readOnly: self = .readOnly
        case .readWrite: self = .readWrite
        }
    }
}
