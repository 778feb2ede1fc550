import Records
import Testing

@Suite("Counts of requests")
struct TelemetryCountsTests {
    private static var sample: TelemetryCounts {
        var counts = TelemetryCounts()
        counts.requests = 12
        counts.clientErrors = 3
        counts.serverErrors = 1
        counts.errors = [.conflict: 7, .internalError: 1]
        counts.clients = [.app: 11, .server: 1]
        for number in [3, 800, 800, 1_000_000] as [Int64] { counts.latency.add(number) }
        counts.requestBytes.add(0, times: 11)
        counts.responseBytes.add(123_456_789)
        counts.pushesSent = 4
        counts.pushesCoalesced = 2
        counts.pushesDropped = 1
        return counts
    }

    @Test("Stored counts are read as they were")
    func roundTrip() {
        let empty = TelemetryCounts()
        #expect(TelemetryCounts(packed: empty.packed) == empty)
        #expect(TelemetryCounts(packed: Self.sample.packed) == Self.sample)
    }

    @Test("Stored bytes that are cut off, longer or of another version are refused")
    func damaged() {
        let packed = Self.sample.packed
        for length in 0..<packed.count {
            #expect(TelemetryCounts(packed: Array(packed.prefix(length))) == nil, "\(length)")
        }
        #expect(TelemetryCounts(packed: packed + [0]) == nil)
        #expect(TelemetryCounts(packed: [2] + packed.dropFirst()) == nil)
        // Each byte replaced by the largest one: read or refused, but no crash.
        for place in packed.indices {
            var changed = packed
            changed[place] = 0xff
            _ = TelemetryCounts(packed: changed)
        }
    }

    @Test("Counts are added by error code and by client")
    func merging() {
        var sum = Self.sample
        sum.merge(Self.sample)
        #expect(sum.requests == 24)
        #expect(sum.errors == [.conflict: 14, .internalError: 2])
        #expect(sum.clients == [.app: 22, .server: 2])
        #expect(sum.latency.count == 8)
        #expect(sum.requestBytes.count == 22)
        #expect([sum.pushesSent, sum.pushesCoalesced, sum.pushesDropped] == [8, 4, 2])
    }

    @Test("Figures contain averages, shares and percentiles")
    func figures() {
        let figures = TelemetryFigures(Self.sample)
        #expect(figures.clientErrorShare == 0.25)
        #expect(figures.averageResponseBytes == 123_456_789 / 12)
        #expect(figures.latency?.median == 799)
        #expect(TelemetryFigures(TelemetryCounts()).clientErrorShare == 0)
    }

    @Test("Exactly the errors that the server causes count as errors of the server")
    func blame() {
        let ofServer = RecordError.Code.allCases.filter(\.isOfServer)
        #expect(ofServer == [.accountUnavailable, .internalError, .tryAgainLater, .zoneBusy])
    }

    @Test("The number of distinct names is exact for few and close for many, and names count once")
    func distinct() {
        var count = DistinctCount()
        #expect(count.count == 0)
        for number in 0..<3 { count.add("_person\(number)") }
        for number in 0..<3 { count.add("_person\(number)") }
        #expect(count.count == 3)
        var other = DistinctCount()
        for number in 2..<20_000 { other.add("_person\(number)") }
        count.merge(other)
        #expect(abs(count.count - 20_000) < 800, "\(count.count)")
        #expect(DistinctCount(packed: count.packed) == count)
        #expect(count.packed.count <= 8192)
        #expect(DistinctCount(packed: [0x80]) == nil)
        #expect(DistinctCount(packed: [0, 99]) == nil)
    }
}
