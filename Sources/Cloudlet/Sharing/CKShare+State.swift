import Foundation
internal import Records

extension CKShare {
    /// The part of a share's state that is not stored in fields.
    struct Sharing {
        /// The ID of the root record; nil for a share of a zone.
        var root: CKRecordID?
        var publicPermission = CKShare.ParticipantPermission.none
        var participants: [CKShareParticipant]
        var url: URL?
        var oneTimeURLs: [String: URL] = [:]
        var allowsAccessRequests = false
        var requesters: [CKShareAccessRequester] = []
        var blocked: [CKShareBlockedIdentity] = []
        /// Invalid changes that the app made; saving the share fails with the first one.
        var refusals: [String] = []
        /// The terms as they were last fetched or saved; nil if unknown.
        var saved: Terms?

        /// The terms that a save can change, as values.
        struct Terms: Codable, Hashable, Sendable {
            var permission: Int
            var participants: [ArchivedParticipant]
            /// nil in archives of earlier versions.
            var requests: Requests?
        }

        /// The part of the terms about access requests. People are identified by user record names.
        struct Requests: Codable, Hashable, Sendable {
            var areAllowed: Bool
            var requesters: [String]
            var blocked: [String]
        }

        /// The current terms.
        var terms: Terms {
            Terms(
                permission: publicPermission.rawValue, participants: participants.map(\.state.current),
                requests: Requests(
                    areAllowed: allowsAccessRequests, requesters: requesters.compactMap(\.plain.user?.name),
                    blocked: blocked.compactMap(\.plain.user?.name)))
        }

        /// A copy of the share with the terms as they were last fetched or saved. It shares no objects with
        /// this one.
        var ancestor: Sharing {
            var plain = ArchivedShare(self)
            plain.publicPermission = saved?.permission ?? plain.publicPermission
            plain.participants = saved?.participants ?? plain.participants
            if let requests = saved?.requests {
                let people = plain.requesters + plain.blocked
                func identities(_ names: [String]) -> [ArchivedIdentity] {
                    names.map { name in
                        people.first { $0.user?.name == name }
                            ?? ArchivedIdentity(user: RecordID(CKRecordID(recordName: name)))
                    }
                }
                plain.allowsAccessRequests = requests.areAllowed
                plain.requesters = identities(requests.requesters)
                plain.blocked = identities(requests.blocked)
            }
            plain.refusals = []
            return Sharing(plain)
        }

        init(root: CKRecordID?) {
            self.root = root
            participants = [CKShareParticipant(.owner)]
        }

        var owner: CKShareParticipant {
            participants.first { $0.role == .owner } ?? CKShareParticipant(.owner)
        }

        mutating func setPublicPermission(_ permission: CKShare.ParticipantPermission) {
            guard permission != publicPermission else { return }
            publicPermission = permission
            participants.removeAll { participant in
                guard participant.role != .owner else { return false }
                return permission == .none || participant.acceptanceStatus == .pending
            }
        }

        mutating func add(_ participant: CKShareParticipant, to share: CKRecordID) {
            guard participant.join(share) else {
                refusals.append("a participant of another share was added; look the person up again")
                return
            }
            if let known = participants.first(where: { $0.isEqual(participant) }) {
                known.role = known.role == .owner ? .owner : participant.role
                known.permission = known.role == .owner ? .readWrite : participant.permission
                return
            }
            guard publicPermission == .none else {
                refusals.append(
                    "a share that is open to the public has no invitations; set publicPermission to .none")
                return
            }
            guard participant.role != .owner else {
                refusals.append("a share has one owner; give the participant another role")
                return
            }
            participants.append(participant)
        }

        mutating func remove(_ participant: CKShareParticipant) {
            guard let place = participants.firstIndex(where: { $0.isEqual(participant) }) else {
                refusals.append("the participant to remove is not in it; choose one of its participants")
                return
            }
            guard participants[place].role != .owner else {
                refusals.append("its owner cannot leave it; delete the share instead")
                return
            }
            participants.remove(at: place)
        }

        mutating func deny(_ denied: [CKShareAccessRequester]) {
            requesters.removeAll { denied.contains($0) }
        }

        mutating func block(_ refused: [CKShareAccessRequester]) {
            deny(refused)
            for requester in refused {
                let identity = CKShareBlockedIdentity(requester.plain)
                if !blocked.contains(identity) { blocked.append(identity) }
                participants.removeAll { participant in
                    let user = participant.userIdentity.userRecordID
                    return participant.role != .owner && user != nil
                        && user == requester.userIdentity.userRecordID
                }
            }
        }
    }

    /// Throws if no server would accept the share.
    ///
    /// - Parameters:
    ///   - records: All records of the same batch.
    ///   - database: The database in which the batch is saved.
    func check(savedWith records: [CKRecord], in database: DatabaseKind, _ limits: Limits) throws {
        let sharing = sharing.current
        let name = recordID.recordName
        if database == .public {
            throw CKError.make(
                .badDatabase, "A share is saved in its owner's private database [\(name)] - save it there")
        }
        if let text = sharing.refusals.first {
            throw CKError.invalidArguments("The share '\(name)' cannot be saved: \(text).")
        }
        if recordID.zoneID == .default {
            throw CKError.invalidArguments(
                "The default zone cannot be shared [\(name)] - move the records to a zone of their own")
        }
        if sharing.participants.count > limits.participantsPerShare {
            throw CKError.make(
                .tooManyParticipants,
                "A share has at most \(limits.participantsPerShare) participants [\(name)] - remove some, or"
                    + " open it to the public")
        }
        let isWithRoot = records.contains { $0.recordID == sharing.root }
        if recordChangeTag == nil, sharing.root != nil, !isWithRoot {
            throw CKError.invalidArguments(
                "A new share is saved together with its root record [\(name)] - put both into one batch")
        }
    }
}

/// The archived form of the part of a share that is not stored in fields.
struct ArchivedShare: Codable {
    static let archiveKey = "cloudlet.CKShare"

    var root: RecordID?
    var publicPermission: Int
    var participants: [ArchivedParticipant]
    var url: URL?
    var oneTimeURLs: [String: URL]
    var allowsAccessRequests: Bool
    var requesters: [ArchivedIdentity]
    var blocked: [ArchivedIdentity]
    var refusals: [String]
    var saved: CKShare.Sharing.Terms?

    init(_ sharing: CKShare.Sharing) {
        root = sharing.root.map(RecordID.init)
        publicPermission = sharing.publicPermission.rawValue
        participants = sharing.participants.map(\.state.current)
        url = sharing.url
        oneTimeURLs = sharing.oneTimeURLs
        allowsAccessRequests = sharing.allowsAccessRequests
        requesters = sharing.requesters.map(\.plain)
        blocked = sharing.blocked.map(\.plain)
        refusals = sharing.refusals
        saved = sharing.saved
    }
}

extension CKShare.Sharing {
    init(_ plain: ArchivedShare) {
        self.init(root: plain.root.map { CKRecordID($0) })
        publicPermission = CKShare.ParticipantPermission(rawValue: plain.publicPermission) ?? .unknown
        participants = plain.participants.map { CKShareParticipant($0) }
        url = plain.url
        oneTimeURLs = plain.oneTimeURLs
        allowsAccessRequests = plain.allowsAccessRequests
        requesters = plain.requesters.map { CKShareAccessRequester($0) }
        blocked = plain.blocked.map { CKShareBlockedIdentity($0) }
        refusals = plain.refusals
        saved = plain.saved
    }
}
