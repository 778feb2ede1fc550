import Foundation

/// A page of the list of changed and deleted zones.
struct EngineDatabasePage: Sendable {
    var modifications: [CKDatabase.DatabaseChange.Modification] = []
    var deletions: [CKDatabase.DatabaseChange.Deletion] = []
    var token: CKServerChangeToken
    var moreComing = false
}

/// A page of the changes of a zone.
struct EngineZonePage: Sendable {
    var modifications: [CKDatabase.RecordZoneChange.Modification] = []
    var deletions: [CKDatabase.RecordZoneChange.Deletion] = []
    /// The errors of the records of the page that could not be fetched completely.
    var recordErrors: [CKRecord.ID: CKError] = [:]
    /// The end of the page, or the error of this zone.
    var end: Result<End, CKError>

    struct End: Sendable {
        var token: CKServerChangeToken
        var moreComing = false
    }
}

/// The state of a fetch.
struct FetchCycle: Sendable {
    enum Phase: Hashable, Sendable {
        case willFetch
        case database
        case choosingZone
        case zone(CKRecordZone.ID)
        case leavingZone(CKRecordZone.ID)
        case didFetch
        case end
    }

    let context: CKSyncEngine.FetchChangesContext
    /// The options of the next request.
    var options: CKSyncEngine.FetchChangesOptions
    var phase = Phase.willFetch
    /// Whether the delegate was asked for the options of the next request.
    var hasOptions = false
    /// The zones that were fetched in this cycle, or that failed.
    var done: Set<CKRecordZone.ID> = []
    /// The error of the current zone.
    var zoneError: CKError?
    /// The records of the current zone for which the server returned errors.
    var lost: [CKRecord.ID: CKError] = [:]
    var failure: CKError?

    init(context: CKSyncEngine.FetchChangesContext, options: CKSyncEngine.FetchChangesOptions) {
        self.context = context
        self.options = options
    }
}

extension SyncEngineMachine {
    mutating func next(_ present: FetchCycle) -> Step {
        var fetch = present
        defer { if cycle != nil { cycle = .fetch(fetch) } }
        while true {
            switch fetch.phase {
            case .willFetch:
                fetch.phase = .database
                return .deliver(.willFetchChanges(.init(context: fetch.context)))
            case .database:
                if fetch.failure != nil {
                    fetch.phase = .didFetch
                } else if !fetch.hasOptions {
                    return .askForOptions(fetch.context)
                } else {
                    fetch.hasOptions = false
                    return .fetchDatabase(since: memory.databaseToken, fetch.options.operationGroup)
                }
            case .choosingZone:
                let zones = memory.unfetched.all.filter { !fetch.done.contains($0) }
                if fetch.failure != nil || zones.isEmpty {
                    fetch.phase = .didFetch
                } else if !fetch.hasOptions {
                    return .askForOptions(fetch.context)
                } else if let zone = Self.first(of: zones, fetch.options) {
                    fetch.phase = .zone(zone)
                    return .deliver(.willFetchRecordZoneChanges(.init(zoneID: zone)))
                } else {
                    fetch.phase = .didFetch
                }
            case .zone(let zone):
                if let failure = fetch.failure {
                    fetch.zoneError = failure
                    fetch.phase = .leavingZone(zone)
                } else if !fetch.hasOptions {
                    return .askForOptions(fetch.context)
                } else if !fetch.options.scope.contains(zone) {
                    fetch.phase = .leavingZone(zone)
                } else {
                    fetch.hasOptions = false
                    return .fetchZone(
                        zone, since: memory.zoneTokens[zone], fetch.options.operationGroup)
                }
            case .leavingZone(let zone):
                fetch.phase = .choosingZone
                fetch.done.insert(zone)
                let error = fetch.zoneError ?? Self.error(of: fetch.lost)
                (fetch.zoneError, fetch.lost) = (nil, [:])
                return .deliver(.didFetchRecordZoneChanges(.init(zoneID: zone, error: error)))
            case .didFetch:
                fetch.phase = .end
                return .deliver(.didFetchChanges(.init(context: fetch.context)))
            case .end:
                let scope = fetch.context.options.scope
                if scope != .all, memory.unfetched.all.contains(where: { !scope.contains($0) }) {
                    schedule.wantsFetch = true
                }
                cycle = nil
                return .end(fetch.failure)
            }
        }
    }

    /// The error of a zone in which only some records could not be fetched; nil if there are none.
    private static func error(of lost: [CKRecord.ID: CKError]) -> CKError? {
        if lost.isEmpty { return nil }
        let errors = lost.map { (AnyHashable($0.key), $0.value as any Error) }
        return CKError(
            .partialFailure,
            userInfo: [CKPartialErrorsByItemIDKey: Dictionary(uniqueKeysWithValues: errors)])
    }

    /// The next zone to fetch: prioritized ones first, then in the order in which they changed.
    private static func first(
        of zones: [CKRecordZone.ID], _ options: CKSyncEngine.FetchChangesOptions
    ) -> CKRecordZone.ID? {
        let wanted = zones.filter(options.scope.contains)
        return options.prioritizedZoneIDs.first(where: wanted.contains) ?? wanted.first
    }

    /// Processes the delegate's options for the next request.
    mutating func take(_ options: CKSyncEngine.FetchChangesOptions) {
        guard case .fetch(var fetch) = cycle else { return }
        fetch.options = options
        fetch.hasOptions = true
        cycle = .fetch(fetch)
    }

    /// Processes a page of the list of zones.
    mutating func take(_ result: Result<EngineDatabasePage, CKError>) {
        guard case .fetch(var fetch) = cycle else { return }
        switch result {
        case .success(let page) where page.moreComing && page.token == memory.databaseToken:
            fail(.stuckFeed(of: "the database"))
        case .success(var page):
            page.modifications.removeAll { $0.zoneID.zoneName == CKRecordZone.ID.defaultZoneName }
            if !page.moreComing, let unseen = unseen(after: page) {
                page.deletions += unseen.map { .init(zoneID: $0, reason: .deleted) }
            }
            if !page.modifications.isEmpty || !page.deletions.isEmpty {
                outbox.append(
                    .fetchedDatabaseChanges(
                        .init(modifications: page.modifications, deletions: page.deletions)))
            }
            commit = .database(page)
            fetch.phase = page.moreComing ? .database : .choosingZone
            cycle = .fetch(fetch)
        case .failure(let error) where error.code == .changeTokenExpired && memory.databaseToken != nil:
            memory.databaseToken = nil
            memory.unseen = Set(memory.zoneTokens.keys)
            isDirty = true
        case .failure(let error):
            scheduleRetry(error, isFetch: true)
            fail(error)
        }
    }

    /// Processes a page of a zone's changes. A failure is the error of the whole request.
    mutating func take(_ result: Result<EngineZonePage, CKError>) {
        guard case .fetch(var fetch) = cycle, case .zone(let zone) = fetch.phase else { return }
        let page: EngineZonePage
        switch result {
        case .success(let found): page = found
        case .failure(let error):
            scheduleRetry(error, isFetch: true)
            return fail(error)
        }
        switch page.end {
        case .success(let end) where end.moreComing && end.token == memory.zoneTokens[zone]:
            fetch.zoneError = .stuckFeed(of: "the zone \(zone.zoneName)")
            fetch.phase = .leavingZone(zone)
        case .success(let end):
            if let error = page.recordErrors.values.first(where: \.staysPending) {
                // Nothing is delivered and the token is not stored, so the page is fetched again: no record
                // is skipped, and none comes twice.
                scheduleRetry(error, isFetch: true)
                fetch.zoneError = error
                fetch.phase = .leavingZone(zone)
                break
            }
            fetch.lost.merge(page.recordErrors) { _, last in last }
            if !page.modifications.isEmpty || !page.deletions.isEmpty {
                outbox.append(
                    .fetchedRecordZoneChanges(
                        .init(modifications: page.modifications, deletions: page.deletions)))
            }
            commit = .zone(zone, end.token, isLast: !end.moreComing)
            fetch.phase = end.moreComing ? .zone(zone) : .leavingZone(zone)
        case .failure(let error) where error.code == .changeTokenExpired && memory.zoneTokens[zone] != nil:
            memory.zoneTokens[zone] = nil
            isDirty = true
        case .failure(let error):
            if [.zoneNotFound, .userDeletedZone].contains(error.code) {
                memory.forget(zone)
                isDirty = true
            }
            scheduleRetry(error, isFetch: true)
            fetch.zoneError = error
            fetch.phase = .leavingZone(zone)
        }
        cycle = .fetch(fetch)
    }

    /// Applies a page whose event the delegate has handled.
    mutating func apply(_ commit: Commit) {
        switch commit {
        case .database(let page):
            memory.unseen = page.moreComing ? unseen(after: page) : nil
            for deletion in page.deletions { memory.forget(deletion.zoneID) }
            for change in page.modifications { memory.unfetched.add(change.zoneID, of: change.zoneID) }
            if memory.databaseToken != page.token || !page.modifications.isEmpty { isDirty = true }
            memory.databaseToken = page.token
        case .zone(let zone, let token, let isLast):
            if memory.zoneTokens[zone] != token { isDirty = true }
            memory.zoneTokens[zone] = token
            if isLast, memory.unfetched.remove(zone, of: zone) { isDirty = true }
        }
    }

    /// The known zones that no page of the list has contained; nil unless the list is fetched from its
    /// beginning.
    private func unseen(after page: EngineDatabasePage) -> Set<CKRecordZone.ID>? {
        memory.unseen?.subtracting(page.modifications.map(\.zoneID))
            .subtracting(page.deletions.map(\.zoneID))
    }
}
