/// The terms of a share: the records that it covers, its participants and their permissions. They are stored
/// beside the fields of a record of type `cloudkit.share`.
package struct Share: Hashable, Sendable {
    package static let recordType = "cloudkit.share"
    /// The record name of a share that covers its whole zone.
    package static let zoneWideName = "cloudkit.zoneshare"
    /// The field of a share with its title.
    package static let titleField = "cloudkit.title"
    /// The field of a share with the bytes of a small image.
    package static let thumbnailField = "cloudkit.thumbnailImageData"
    /// The field in which Cloudlet's clients store the key for encrypted values of the share's zone. Every
    /// schema that has share records accepts it.
    package static let zoneKeyField = "cloudlet.zoneKey"

    /// The record name of the root: the share covers it and all records below it by `parent`. nil: the share
    /// covers the whole zone.
    package var root: String?
    /// Opaque, part of the share's URL, and the same for every share that a root ever has.
    package var shortGUID: String
    /// The permission of people who have the URL but no invitation; `none` admits invited people only.
    package var publicPermission = Participant.Permission.none
    /// The owner first, the others in the order in which they were added.
    package var participants: [Participant]
    /// Whether people who are not invited may request access.
    package var allowsRequests = false
    /// The people whose requests for access are pending, in the order of the requests.
    package var requesters: [AccessRequester] = []
    /// The people who can neither request access nor accept: both fail as if the share did not exist.
    package var blocked: [AccessRequester] = []
    /// The id of the caller's participant, in a share that a client decoded from an answer; otherwise nil.
    package var callerID: String?
    /// The share's URL, in a share that Cloudlet's own client decoded from an answer; otherwise nil.
    package var url: String?

    package init(
        root: String?, shortGUID: String, publicPermission: Participant.Permission = .none,
        participants: [Participant]
    ) {
        self.root = root
        self.shortGUID = shortGUID
        self.publicPermission = publicPermission
        self.participants = participants
    }

    /// The number of people in the terms.
    package var peopleCount: Int { participants.count + requesters.count + blocked.count }

    /// The participant with this user record name; nil if there is none.
    package func participant(_ person: String) -> Participant? {
        participants.first { $0.person == person }
    }

    /// The people other than the owner who have joined and may read.
    package var members: Set<String> {
        let people = participants.filter { $0.role != .owner }.compactMap(\.person)
        return Set(people.filter { permission(of: $0) != .none })
    }

    /// A person's permission on the records of the share; `none` for everybody but the owner and people who
    /// have accepted.
    package func permission(of person: String) -> Participant.Permission {
        guard let participant = participant(person), participant.acceptance == .accepted else { return .none }
        return grantedPermission(of: participant)
    }

    /// The permission that a participant has, or will have after accepting. A person who joined through the
    /// link has the current public permission, unless the owner has set the person's own permission to
    /// `none`.
    package func grantedPermission(of participant: Participant) -> Participant.Permission {
        switch participant.role {
        case .owner: .readWrite
        case .publicUser: participant.permission == .none ? .none : publicPermission
        case .administrator, .privateUser: participant.permission
        }
    }

    /// Whether the person is blocked. For a blocked person, requests fail as if the share did not exist.
    package func isBlocked(_ person: String) -> Bool { blocked.contains { $0.person == person } }
}

/// A record's part in sharing, stored beside its fields.
package enum Sharing: Hashable, Sendable {
    /// The record is the root of the share with this record name.
    case root(of: String)
    /// The record is a share with these terms.
    case share(Share)

    /// The terms of a share; nil for a root.
    package var terms: Share? {
        if case .share(let terms) = self { terms } else { nil }
    }

    /// The record name of the share of a root; nil for a share.
    package var shareName: String? {
        if case .root(let name) = self { name } else { nil }
    }
}

/// A change to the terms of a share.
package enum ShareChange: Hashable, Sendable {
    /// Creates the terms, or changes them. Only the owner and administrators may do so.
    case save(ShareDraft)
    /// A person joins. `addresses` are the addresses that the person has verified. `id` identifies the new
    /// participant if the person was not invited. `name` is shown to the other participants.
    case accept(
        person: String, addresses: Set<ContactAddress>, id: String,
        name: Participant.Name = Participant.Name())
    /// A person without an invitation requests access.
    case request(AccessRequester)

    /// Whether the change comes from a person who does not manage the share.
    package var isAnswer: Bool {
        switch self {
        case .accept, .request: true
        case .save: false
        }
    }

    /// The root that a new share names; nil if it names none.
    package var root: String? {
        if case .save(let draft) = self { draft.root } else { nil }
    }
}

/// The terms of a share as a client writes them.
package struct ShareDraft: Hashable, Sendable {
    /// The root of a new share; nil for one that covers its zone. A share keeps its root.
    package var root: String?
    /// The change tag of the root, for a new share in a batch without its root.
    package var rootTag: ChangeTag?
    /// The new public permission; nil keeps the present one.
    package var publicPermission: Participant.Permission?
    /// All participants, with or without the owner; nil keeps the present ones. Their acceptance is ignored.
    package var participants: [Participant]?
    /// Whether people may request access; nil keeps the setting. false deletes the pending requests.
    package var allowsRequests: Bool?
    /// The user record names of the requesters whose requests stay pending; the others are denied. nil keeps
    /// all.
    package var requesters: [String]?
    /// The user record names of all people whose requests are blocked; nil keeps the present ones.
    package var blocked: [String]?

    package init(
        root: String? = nil, rootTag: ChangeTag? = nil, publicPermission: Participant.Permission? = nil,
        participants: [Participant]? = nil
    ) {
        self.root = root
        self.rootTag = rootTag
        self.publicPermission = publicPermission
        self.participants = participants
    }
}
