package import Records

/// An endpoint of the web services. The raw value is the end of the path: entity and action (CloudKit Web
/// Services Reference).
package enum Endpoint: String, Hashable, Sendable, CaseIterable {
    case recordsQuery = "records/query"
    case recordsLookup = "records/lookup"
    case recordsModify = "records/modify"
    case recordsChanges = "records/changes"
    case recordsResolve = "records/resolve"
    case recordsAccept = "records/accept"
    /// A Cloudlet extension: asks the owners of shares for access.
    case recordsRequestAccess = "records/requestAccess"
    case changesDatabase = "changes/database"
    case changesZone = "changes/zone"
    case zonesList = "zones/list"
    case zonesLookup = "zones/lookup"
    case zonesModify = "zones/modify"
    case zonesChanges = "zones/changes"
    case subscriptionsList = "subscriptions/list"
    case subscriptionsLookup = "subscriptions/lookup"
    case subscriptionsModify = "subscriptions/modify"
    case usersCaller = "users/caller"
    case usersCurrent = "users/current"
    case usersDiscover = "users/discover"
    case usersLookupEmail = "users/lookup/email"
    case usersLookupID = "users/lookup/id"
    case usersLookupContacts = "users/lookup/contacts"
    /// A Cloudlet extension: whether the person allows others to find them.
    case usersPermission = "users/permission"
    case assetsUpload = "assets/upload"
    case assetsRereference = "assets/rereference"
    case tokensCreate = "tokens/create"
    case tokensRegister = "tokens/register"
    /// The notification collection. This case and the next two are Cloudlet extensions; CloudKit's web
    /// services do not offer them.
    case notificationsChanges = "notifications/changes"
    case notificationsRead = "notifications/read"
    case badge = "notifications/badge"

    /// The databases that support the endpoint; empty for endpoints that concern a device.
    ///
    /// Requests about people concern no database, but have one in their path; clients may send any.
    package var databases: [DatabaseKind] {
        switch self {
        case .recordsQuery, .recordsLookup, .recordsModify, .zonesList, .zonesLookup, .assetsUpload,
            .assetsRereference, .subscriptionsList, .subscriptionsLookup, .subscriptionsModify, .usersCaller,
            .usersCurrent, .usersDiscover, .usersLookupEmail, .usersLookupID, .usersLookupContacts,
            .usersPermission:
            [.public, .private, .shared]
        case .recordsChanges, .changesDatabase, .changesZone, .zonesChanges: [.private, .shared]
        case .zonesModify: [.private]
        case .recordsResolve, .recordsAccept, .recordsRequestAccess: [.public]
        case .tokensCreate, .tokensRegister, .notificationsChanges, .notificationsRead, .badge: []
        }
    }

    /// The database in the path when Cloudlet's own client sends a request for `database`: the public one for
    /// requests about shares and people.
    package func home(of database: DatabaseKind) -> DatabaseKind {
        switch self {
        case .recordsResolve, .recordsAccept, .recordsRequestAccess, .usersCaller, .usersCurrent,
            .usersDiscover, .usersLookupEmail, .usersLookupID, .usersLookupContacts, .usersPermission:
            .public
        default: database
        }
    }

    /// The accepted methods. Clients use the first.
    package var methods: [CloudRequest.Method] {
        switch self {
        case .zonesList, .subscriptionsList, .usersCaller, .usersCurrent, .usersLookupContacts: [.get, .post]
        case .usersDiscover: [.post, .get]
        default: [.post]
        }
    }

    package var isForDevices: Bool { databases.isEmpty }

    /// Whether the endpoint only reads.
    package var isRead: Bool {
        switch self {
        case .recordsQuery, .recordsLookup, .recordsChanges, .recordsResolve, .changesDatabase, .changesZone,
            .zonesList, .zonesLookup, .zonesChanges, .subscriptionsList, .subscriptionsLookup, .usersCaller,
            .usersCurrent, .usersDiscover, .usersLookupEmail, .usersLookupID, .usersLookupContacts,
            .notificationsChanges:
            true
        case .recordsModify, .recordsAccept, .recordsRequestAccess, .zonesModify, .subscriptionsModify,
            .usersPermission, .assetsUpload, .assetsRereference, .tokensCreate, .tokensRegister,
            .notificationsRead, .badge:
            false
        }
    }

    /// The endpoint with these path components; nil if there is none.
    init?(parts: ArraySlice<Substring>) {
        guard let entity = parts.first, let known = Self.byEntity[entity],
            let match = known.first(where: { $0.parts.elementsEqual(parts) })
        else { return nil }
        self = match.endpoint
    }

    private static let byEntity = Dictionary(
        grouping: allCases.map { (endpoint: $0, parts: $0.rawValue.split(separator: "/")) },
        by: { $0.parts.first ?? "" })
}
