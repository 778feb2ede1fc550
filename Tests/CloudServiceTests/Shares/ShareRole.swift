/// The relation of somebody to a share and to its owner.
enum ShareRole: String, CaseIterable, Sendable {
    case owner, readWrite, readOnly, publicReadWrite, publicReadOnly, invited, removed, stranger, anonymous,
        serverKey

    /// Whether the role has accepted the share and may read.
    var isMember: Bool {
        switch self {
        case .readWrite, .readOnly, .publicReadWrite, .publicReadOnly: true
        default: false
        }
    }

    var mayWrite: Bool { self == .owner || self == .readWrite || self == .publicReadWrite }

    /// The permission with which the owner invites the person, or opens the share.
    var permission: String {
        self == .readOnly || self == .publicReadOnly ? "READ_ONLY" : "READ_WRITE"
    }

    var isPublic: Bool { self == .publicReadWrite || self == .publicReadOnly }
}

/// What the share covers.
enum ShareExtent: String, CaseIterable, Sendable {
    /// A root and the records below it.
    case hierarchy
    /// All records of the zone.
    case zone
}

/// A record of the owner's zone. `child` and `leaf` are below the root, `grandchild` is below the child. All
/// but the share and `missing` have a file.
enum ShareTarget: String, CaseIterable, Sendable {
    case root = "note"
    case child, grandchild, leaf
    case outside = "secret"
    case share = "s"
    case missing

    /// The targets with a file.
    static let files: [ShareTarget] = [.root, .child, .grandchild, .leaf, .outside]

    /// Whether the record has children when the matrix deletes it.
    var isParent: Bool { self != .leaf && self != .missing && self != .share }
}

/// A call about shared records, with its targets.
enum ShareCall: String, CaseIterable, Sendable {
    case lookup, query, zoneChanges, recordsChanges, databaseChanges, zonesChanges, zonesList, zonesLookup
    /// `download` is of the URL that the caller gets, or got as a member; `downloadOfMember` of the one that
    /// another member got.
    case rereference, download, downloadOfMember
    case save, createBelow, createAlone, setParent, editShare, shareAgain, resolve, upload
    case usersCaller, usersCurrent, usersDiscover, usersLookupID, usersLookupEmail, usersLookupContacts
    case tokensCreate, tokensRegister, notificationsChanges, notificationsRead
    case requestAccess
    case zonesModify, subscribe, subscribeToZone, subscribeToQuery, updateSubscription, subscriptionsList,
        subscriptionsLookup, unsubscribe
    case delete
    /// The acceptance of a share that has not ended, by everybody but those who were only invited.
    case acceptAgain
    /// The deletion of the share, with which a participant leaves and the owner stops sharing.
    case leave
    /// The acceptance after `leave`.
    case accept
    /// The deletion of the zone.
    case zonesDelete

    var targets: [ShareTarget] {
        switch self {
        case .lookup: ShareTarget.allCases
        case .save: [.root, .child, .grandchild, .leaf, .outside]
        case .createBelow, .setParent: [.root, .child, .grandchild, .outside, .share, .missing]
        case .upload: [.root, .child, .grandchild, .outside, .missing]
        case .delete: [.outside, .missing, .root, .child, .grandchild, .leaf]
        case .shareAgain: [.child, .outside]
        case .rereference, .download: ShareTarget.files + [.missing]
        case .downloadOfMember: ShareTarget.files
        default: [.root]
        }
    }
}

extension ShareCall {
    var isAboutPeople: Bool {
        switch self {
        case .usersCaller, .usersCurrent, .usersDiscover, .usersLookupID, .usersLookupEmail,
            .usersLookupContacts:
            true
        default: false
        }
    }
}

/// The expected result of a call: an error code, or `ok`.
///
/// The shared database contains the records of accepted shares. Members can read all of them; the permission
/// determines whether they can write; other records of the owner's zone are answered like missing ones. A
/// share of a zone covers all its records, also those that are created without a parent.
/// Server keys can use the public database only, and the shared database requires a person.
struct ShareRules {
    var role: ShareRole
    var extent = ShareExtent.hierarchy

    /// Whether the share covers the record.
    func covers(_ target: ShareTarget) -> Bool {
        target != .missing && (extent == .zone || target != .outside)
    }

    /// Whether the role may create records without a parent, and set every parent that exists.
    private var writesEverywhere: Bool { role == .owner || extent == .zone && role.mayWrite }

    func expected(_ call: ShareCall, _ target: ShareTarget) -> String {
        // The URL of a download is its own credential, as long as the member who got it may read the record.
        if call == .downloadOfMember { return covers(target) ? "ok" : "NOT_FOUND" }
        if role == .anonymous || role == .serverKey { return expectedWithoutPerson(call) }
        switch call {
        case _ where call.isAboutPeople: return "ok"
        case .databaseChanges, .zonesChanges, .zonesList: return "ok"
        case .subscribe, .updateSubscription, .subscriptionsList, .subscriptionsLookup, .unsubscribe:
            return "ok"
        case .tokensCreate, .tokensRegister, .notificationsChanges, .notificationsRead: return "ok"
        // People who may accept cannot ask for access; to others, a share that accepts no requests is
        // missing.
        case .requestAccess:
            return role == .owner || role == .invited || role.isMember || role.isPublic
                ? "BAD_REQUEST" : "NOT_FOUND"
        case .resolve:
            return role == .owner || role == .invited || role.isMember ? "ok" : "ACCESS_DENIED"
        // Accepting again changes nothing. The owner is a participant without accepting.
        case .acceptAgain: return role == .owner ? "BAD_REQUEST" : role.isMember ? "ok" : "ACCESS_DENIED"
        case .accept: return accepted
        // Only the private database has custom zones, and subscriptions to zones and to queries.
        case .zonesModify, .zonesDelete, .subscribeToZone, .subscribeToQuery:
            return role == .owner ? "ok" : "BAD_REQUEST"
        default: return expectedOfRecords(call, target)
        }
    }

    private func expectedWithoutPerson(_ call: ShareCall) -> String {
        if call == .zonesModify || call == .zonesDelete { return "BAD_REQUEST" }
        if role == .anonymous { return "AUTHENTICATION_REQUIRED" }
        // A key acts as its owner in calls about people.
        return call.isAboutPeople ? "ok" : "ACCESS_DENIED"
    }

    private func expectedOfRecords(_ call: ShareCall, _ target: ShareTarget) -> String {
        // The person got the URL before the removal.
        if call == .download, role == .removed, covers(target) { return "NOT_FOUND" }
        if role != .owner, !role.isMember { return "ZONE_NOT_FOUND" }
        let sees = role == .owner ? target != .missing : covers(target)
        switch call {
        case .lookup, .rereference, .download: return sees ? "ok" : "NOT_FOUND"
        case .save, .delete:
            // A forced save under a name that the caller does not see is a new record without a parent.
            if !sees { return call == .save ? "ACCESS_DENIED" : "NOT_FOUND" }
            // Only the owner deletes the root, and with it the share. A share of a zone has no root.
            if call == .delete, target == .root, extent == .hierarchy, role != .owner {
                return "ACCESS_DENIED"
            }
            if !role.mayWrite { return "ACCESS_DENIED" }
            return call == .delete && target.isParent ? "VALIDATING_REFERENCE_ERROR" : "ok"
        case .createBelow, .setParent:
            // A share is no parent.
            if target == .share { return role.mayWrite ? "BAD_REQUEST" : "ACCESS_DENIED" }
            if writesEverywhere { return sees ? "ok" : "VALIDATING_REFERENCE_ERROR" }
            return role.mayWrite && covers(target) ? "ok" : "ACCESS_DENIED"
        case .createAlone: return writesEverywhere ? "ok" : "ACCESS_DENIED"
        case .editShare: return role == .owner ? "ok" : "ACCESS_DENIED"
        case .shareAgain:
            if role != .owner { return "ACCESS_DENIED" }
            return covers(target) ? "EXISTS" : "ok"
        // An upload uses the owner's storage, so it needs the permission of a save.
        case .upload: return role.mayWrite ? "ok" : "ACCESS_DENIED"
        default: return "ok"
        }
    }

    /// The result of `accept`. In the matrix, the call comes after the share was left, or stopped by its
    /// owner.
    private var accepted: String {
        switch role {
        case .owner: "NOT_FOUND"
        case .invited, .publicReadWrite, .publicReadOnly: "ok"
        default: "ACCESS_DENIED"
        }
    }

    /// The expected result after the owner has deleted the root, which ended the share.
    func expectedAfterEnd(_ call: ShareCall) -> String {
        if call == .downloadOfMember { return "NOT_FOUND" }
        if role == .anonymous { return "AUTHENTICATION_REQUIRED" }
        if role == .serverKey { return "ACCESS_DENIED" }
        switch call {
        case .resolve, .acceptAgain, .requestAccess: return "NOT_FOUND"
        case .lookup: return role == .owner ? "NOT_FOUND" : "ZONE_NOT_FOUND"
        default: return role == .owner ? "ok" : "ZONE_NOT_FOUND"
        }
    }

    /// The shared zones that lists and feeds of zones show, in the private database for the owner.
    var zones: [String] { role == .owner || role.isMember ? ["Notes"] : [] }

    /// The record names that a query or a feed shows.
    func visible(_ names: Set<String>) -> Set<String> {
        role == .owner || extent == .zone ? names : names.subtracting([ShareTarget.outside.rawValue])
    }
}
