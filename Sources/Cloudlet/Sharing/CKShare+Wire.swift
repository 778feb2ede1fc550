import Foundation
internal import Records
internal import RecordsWire

extension WireContext {
    /// Converts a record of the server; one with the terms of a share becomes a `CKShare`.
    func record(_ record: Record) -> CKRecord {
        let plain = CKRecord(record, context: self)
        guard let terms = record.sharing?.terms else { return plain }
        return CKShare(
            state: plain.state.current, sharing: CKShare.Sharing(terms, zone: plain.recordID.zoneID))
    }
}

extension ShareDraft {
    /// The terms of a share as a save sends them. Throws `RecordError` for an address that is none.
    init(_ share: CKShare) throws {
        let sharing = share.sharing.current
        self.init(
            root: sharing.root?.recordName,
            publicPermission: Participant.Permission(sharing.publicPermission),
            participants: try sharing.participants.map { try Participant($0.state.current) })
    }
}

extension CKShare {
    /// Copies the terms that the server has saved. What only this device knows is kept.
    func adopt(_ terms: Share) {
        let zone = recordID.zoneID
        sharing.withLock { sharing in
            let saved = Sharing(terms, zone: zone)
            sharing.root = saved.root
            sharing.publicPermission = saved.publicPermission
            sharing.participants = saved.participants
            sharing.url = saved.url ?? sharing.url
            sharing.refusals = []
        }
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
        role = CKShare.ParticipantRole(participant.role).rawValue
        permission = CKShare.ParticipantPermission(participant.permission).rawValue
        let status: CKShare.ParticipantAcceptanceStatus =
            participant.acceptance == .accepted ? .accepted : .pending
        acceptance = status.rawValue
    }
}

extension Participant {
    /// Throws `badRequest` for an address that is none.
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
