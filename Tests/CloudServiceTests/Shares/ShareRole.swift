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

/// A record of the owner's zone. `child` and `leaf` are below the root, `grandchild` is below the child.
enum ShareTarget: String, CaseIterable, Sendable {
    case root = "note"
    case child, grandchild, leaf
    case outside = "secret"
    case share = "s"
    case missing

    /// Whether the share covers the record.
    var isCovered: Bool { self != .outside && self != .missing }

    /// Whether the record has children when the matrix deletes it.
    var isParent: Bool { self != .leaf && self != .missing && self != .share }
}

/// A call about shared records, with its targets.
enum ShareCall: String, CaseIterable, Sendable {
    case lookup, query, zoneChanges, recordsChanges, databaseChanges, zonesChanges, zonesList, zonesLookup,
        subscriptionsList
    case save, createBelow, createAlone, setParent, editShare, shareAgain, resolve, upload
    case rereference, download, usersCaller, usersDiscover, usersLookup, requestAccess
    case zonesModify, subscribe, subscribeToZone, subscriptionsLookup, unsubscribe, delete
    /// The deletion of the share, with which a participant leaves and the owner stops sharing.
    case leave
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
        // `child` and `outside` have a file; `missing` stands for a record that does not exist.
        case .rereference, .download: [.child, .outside, .missing]
        default: [.root]
        }
    }
}

/// The expected result of a call: an error code, or `ok`.
///
/// The shared database contains the records of accepted shares. Members can read all of them; the permission
/// determines whether they can write; other records of the owner's zone are answered like missing ones.
/// Server keys can use the public database only, and the shared database requires a person.
struct ShareRules {
    var role: ShareRole

    func expected(_ call: ShareCall, _ target: ShareTarget) -> String {
        let changesZones = call == .zonesModify || call == .zonesDelete
        if changesZones, role == .anonymous || role == .serverKey { return "BAD_REQUEST" }
        // A key acts as its owner in calls about people.
        if role == .serverKey, [.usersCaller, .usersDiscover, .usersLookup].contains(call) { return "ok" }
        if role == .anonymous { return "AUTHENTICATION_REQUIRED" }
        if role == .serverKey { return "ACCESS_DENIED" }
        switch call {
        case .databaseChanges, .zonesChanges, .zonesList, .subscriptionsList: return "ok"
        case .subscribe, .subscriptionsLookup, .unsubscribe, .usersCaller, .usersDiscover, .usersLookup:
            return "ok"
        // People who may accept cannot ask for access; to others, a share that accepts no requests is
        // missing.
        case .requestAccess:
            return role == .owner || role == .invited || role.isMember || role.isPublic
                ? "BAD_REQUEST" : "NOT_FOUND"
        case .resolve:
            return role == .owner || role == .invited || role.isMember ? "ok" : "ACCESS_DENIED"
        case .accept: return accepted
        // Only the private database has custom zones and subscriptions to zones.
        case .zonesModify, .zonesDelete: return role == .owner ? "ok" : "BAD_REQUEST"
        case .subscribeToZone: return role == .owner ? "ok" : "BAD_REQUEST"
        default: break
        }
        // The person got the URL before the removal.
        if call == .download, role == .removed { return "NOT_FOUND" }
        if role != .owner, !role.isMember { return "ZONE_NOT_FOUND" }
        let sees = role == .owner ? target != .missing : target.isCovered
        switch call {
        case .lookup, .rereference, .download: return sees ? "ok" : "NOT_FOUND"
        case .save, .delete:
            // A forced save under a name that the caller does not see is a new record without a parent.
            if !sees { return call == .save ? "ACCESS_DENIED" : "NOT_FOUND" }
            // Only the owner deletes the root, and with it the share.
            if call == .delete, target == .root, role != .owner { return "ACCESS_DENIED" }
            if !role.mayWrite { return "ACCESS_DENIED" }
            return call == .delete && target.isParent ? "VALIDATING_REFERENCE_ERROR" : "ok"
        case .createBelow, .setParent:
            // A share is no parent.
            if target == .share { return role.mayWrite ? "BAD_REQUEST" : "ACCESS_DENIED" }
            if role == .owner { return sees ? "ok" : "VALIDATING_REFERENCE_ERROR" }
            return role.mayWrite && target.isCovered ? "ok" : "ACCESS_DENIED"
        case .createAlone, .editShare: return role == .owner ? "ok" : "ACCESS_DENIED"
        case .shareAgain:
            if role != .owner { return "ACCESS_DENIED" }
            return target.isCovered ? "EXISTS" : "ok"
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

    /// The shared zones that lists and feeds of zones show, in the private database for the owner.
    var zones: [String] { role == .owner || role.isMember ? ["Notes"] : [] }

    /// The record names that a query or a feed shows.
    func visible(_ names: Set<String>) -> Set<String> {
        role == .owner ? names : names.subtracting([ShareTarget.outside.rawValue])
    }
}
