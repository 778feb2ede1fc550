import Records
import Testing

@Suite("Limits")
struct LimitsTests {
    /// Limits that servers do not publish, or publish in another form.
    private static let unpublished: Set = [
        "openDatabases", "signatureSkewSeconds", "sessionSeconds", "longSessionSeconds", "signInSeconds",
        "addressCodeSeconds", "addressCodeTries", "addressCodesPerHour", "codesPerAddress",
        "operatorSessionSeconds", "operatorSessions", "operatorLinkSeconds", "operators", "auditEntries",
        "auditTextBytes", "loggedRequests", "loggedRequestBytes",
        "telemetryKeys", "telemetryBytes", "pushTrace", "rateRequests", "rateSeconds",
        "personRate", "addressRate", "appRate",
        "containerRate", "quota", "recordsPerSyncBatch", "syncBatchBytes", "syncPauseSeconds",
    ]

    @Test("Every limit is published under its property's name, or listed as unpublished")
    func complete() {
        let names = Limits.published.map { "\($0.name)" }
        #expect(Set(names).count == names.count)
        let limits = Set(Mirror(reflecting: Limits()).children.compactMap(\.label))
        #expect(limits == Set(names).union(Self.unpublished))
        let quota = Set(Mirror(reflecting: QuotaRules()).children.compactMap(\.label))
        #expect(quota == Set(QuotaRules.published.map { "\($0.name)" }))
    }

    @Test("A limit can be lowered, but not raised and not set to 0")
    func lowered() throws {
        var limits = Limits()
        for limit in Limits.published { limit.lower(to: 2, in: &limits) }
        for limit in Limits.published { #expect(limit.value(in: limits) == 2, "\(limit.name)") }
        for number in [3, 0, -1, Int64.max] {
            for limit in Limits.published { limit.lower(to: number, in: &limits) }
        }
        for limit in Limits.published { #expect(limit.value(in: limits) == 2, "\(limit.name)") }
    }
}
