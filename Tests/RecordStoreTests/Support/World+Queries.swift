import RecordStore
import Records

extension World {
    /// The checked plan of a query.
    func plan(
        _ filters: [Filter] = [], sort: [Sort] = [], type: String = "Party",
        zone: String? = ZoneID.defaultName, limit: Int? = nil, limits: Limits = Limits()
    ) throws -> QueryPlan {
        try QueryRules(limits: limits).plan(
            Query(recordType: type, filters: filters, sorts: sort), zone: zone, limit: limit, in: schema
        )
    }

    /// The names of the records that a query finds, fetched in small pages with encoded and decoded markers.
    func find(
        _ filters: Filter..., sort: [Sort] = [], type: String = "Party", zone: String? = ZoneID.defaultName,
        page: Int = 2, limits: Limits = Limits()
    ) async throws -> [String] {
        let plan = try plan(filters, sort: sort, type: type, zone: zone, limit: page, limits: limits)
        return try await pages(of: plan).map(\.id.name)
    }

    /// All records of a plan, fetched page by page.
    func pages(of plan: QueryPlan) async throws -> [StoredRecord] {
        var plan = plan
        var all: [StoredRecord] = []
        while true {
            let page = try await store.query(plan)
            all += page.records
            guard let cursor = page.cursor else { return all }
            plan.cursor = try QueryCursor(marker: cursor.marker(for: plan), for: plan)
            if all.count > 10_000 { throw Unexpected(text: "a query without an end") }
        }
    }

    /// The error of a query that is refused.
    func refusal(
        _ filters: Filter..., sort: [Sort] = [], type: String = "Party", zone: String? = ZoneID.defaultName
    ) -> RecordError? {
        do {
            _ = try plan(filters, sort: sort, type: type, zone: zone)
            return nil
        } catch {
            return error as? RecordError
        }
    }
}
