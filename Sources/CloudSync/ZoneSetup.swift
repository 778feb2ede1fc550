import Cloudlet
import Foundation
import LocalReplica
import Records

/// A zone or a subscription to create on the server.
enum SetupItem: Hashable {
    case zone(ZoneID)
    /// The subscription to a zone; with nil, that to new zones.
    case subscription(zone: ZoneID?)

    var zone: ZoneID? {
        switch self {
        case .zone(let zone): zone
        case .subscription(let zone): zone
        }
    }

    fileprivate var title: String {
        switch self {
        case .zone(let zone): "the zone \(zone.displayName)"
        case .subscription(let zone?): "the subscription to the zone \(zone.displayName)"
        case .subscription(nil): "the subscription to new zones"
        }
    }
}

/// The zones and subscriptions that the server refused to create. Each is requested again after a wait that
/// grows with each refusal. Meanwhile all other work continues.
struct RefusedSetup {
    private struct Refusal {
        var failures: Int
        var hold: Hold
    }

    private var refusals: [SetupItem: Refusal] = [:]

    /// The zones that the server refused.
    var zones: [ZoneID] {
        refusals.keys.compactMap { if case .zone(let zone) = $0 { zone } else { nil } }
            .sorted { $0.displayName < $1.displayName }
    }

    mutating func add(_ item: SetupItem, _ error: any Error, at now: Date) {
        let failures = (refusals[item]?.failures ?? 0) + 1
        let why = "the server refused \(item.title): \(CloudSync.text(of: error))"
        refusals[item] = Refusal(failures: failures, hold: .backOff(after: failures, why: why, at: now))
    }

    mutating func remove(_ item: SetupItem) { refusals[item] = nil }

    /// Ends all waits, so that all items may be requested now.
    mutating func endWaits() {
        for item in refusals.keys { refusals[item]?.hold.until = .distantPast }
    }

    /// Whether the item may be requested now.
    func permits(_ item: SetupItem, at now: Date) -> Bool {
        refusals[item].map { !$0.hold.lasts(at: now) } ?? true
    }

    /// The wait of zones that ends first.
    func zoneHold(at now: Date) -> Hold? {
        first(at: now) { if case .zone = $0 { true } else { false } }
    }

    /// The wait of subscriptions that ends first.
    func subscriptionHold(at now: Date) -> Hold? {
        guard var hold = first(at: now, where: { if case .subscription = $0 { true } else { false } }) else {
            return nil
        }
        hold.why = "everything is in sync, but \(hold.why); it is requested again later"
        return hold
    }

    private func first(at now: Date, where isIncluded: (SetupItem) -> Bool) -> Hold? {
        Hold.first(
            of: refusals.filter { isIncluded($0.key) && $0.value.hold.lasts(at: now) }.map { $0.value.hold })
    }
}

extension CKDatabase {
    /// Creates zones, and returns the result of each.
    func setUp(zones: [String]) async throws -> [SetupItem: Result<Void, any Error>] {
        try await SetupItem.results(of: zones.map { .zone(ZoneID(name: $0)) }) {
            let made = zones.map { CKRecordZone(zoneName: $0) }
            let results = try await modifyRecordZones(saving: made, deleting: []).saveResults
            return results.map { id, result in
                (SetupItem.zone(ZoneID(name: id.zoneName)), result.map { _ in () })
            }
        }
    }

    /// Creates silent subscriptions, and returns the result of each. Their pushes wake the app, and are not
    /// shown to the person.
    func setUp(
        subscriptionsTo zones: [ZoneID], andToNewZones followsNew: Bool,
        of scope: SyncScope
    ) async throws -> [SetupItem: Result<Void, any Error>] {
        var items: [String: SetupItem] = [:]
        var subscriptions: [CKSubscription] = []
        for zone in zones {
            let id = "sync-zone-\(zone.name)"
            items[id] = .subscription(zone: zone)
            subscriptions.append(
                CKRecordZoneSubscription(zoneID: zone.zoneID, subscriptionID: id))
        }
        if followsNew {
            items[scope.subscriptionID] = .subscription(zone: nil)
            subscriptions.append(CKDatabaseSubscription(subscriptionID: scope.subscriptionID))
        }
        let info = CKSubscription.NotificationInfo(shouldSendContentAvailable: true)
        for subscription in subscriptions { subscription.notificationInfo = info }
        let (wanted, known) = (subscriptions, items)
        return try await SetupItem.results(of: Array(known.values)) {
            let results = try await modifySubscriptions(saving: wanted, deleting: []).saveResults
            return results.compactMap { id, result in
                known[id].map { ($0, result.map { _ in () }) }
            }
        }
    }
}

extension SetupItem {
    /// Returns the results of a request. If the server refuses the request as a whole, each item is refused.
    fileprivate static func results(
        of items: [SetupItem], _ request: () async throws -> [(SetupItem, Result<Void, any Error>)]
    ) async throws -> [SetupItem: Result<Void, any Error>] {
        do {
            return Dictionary(try await request(), uniquingKeysWith: { first, _ in first })
        } catch {
            guard [.refuse, .halve, .storageFull].contains(ErrorDecision(error)) else { throw error }
            let refusal = Result<Void, any Error>.failure(error)
            return Dictionary(items.map { ($0, refusal) }, uniquingKeysWith: { first, _ in first })
        }
    }
}

extension ReplicaWriter {
    /// Records that the server has created a zone or a subscription.
    func markCreated(_ item: SetupItem) throws {
        switch item {
        case .zone(let zone): try markCreated(zone)
        case .subscription(let zone): try markSubscribed(zone)
        }
    }
}
