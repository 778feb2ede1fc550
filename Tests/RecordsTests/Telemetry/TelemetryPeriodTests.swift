import Foundation
import Records
import Testing

@Suite("Periods of counts")
struct TelemetryPeriodTests {
    /// A moment in UTC, such as `2026-11-26T11:30:00Z`.
    private static func time(_ text: String) throws -> Timestamp {
        Timestamp(
            milliseconds: Int64(try Date(text, strategy: .iso8601).timeIntervalSince1970 * 1000))
    }

    @Test(
        "Periods begin at calendar boundaries in UTC",
        arguments: [
            (TelemetryPeriod.minute, "2026-11-26T11:30:59Z", "2026-11-26T11:30:00Z"),
            (.hour, "2026-11-26T11:59:59Z", "2026-11-26T11:00:00Z"),
            (.day, "2026-11-26T23:59:59Z", "2026-11-26T00:00:00Z"),
            // A Thursday and a Sunday; the week begins on Monday.
            (.week, "2026-11-26T11:30:00Z", "2026-11-23T00:00:00Z"),
            (.week, "2026-11-29T23:59:59Z", "2026-11-23T00:00:00Z"),
            (.week, "1970-01-01T00:00:00Z", "1969-12-29T00:00:00Z"),
            (.month, "2026-11-30T23:59:59Z", "2026-11-01T00:00:00Z"),
            (.month, "2028-02-29T12:00:00Z", "2028-02-01T00:00:00Z"),
            (.month, "2100-03-01T00:00:00Z", "2100-03-01T00:00:00Z"),
            (.month, "1969-12-31T23:59:59Z", "1969-12-01T00:00:00Z"),
        ])
    func starts(period: TelemetryPeriod, inside: String, start: String) throws {
        let time = try Self.time(inside)
        let wanted = try Self.time(start)
        #expect(period.start(of: period.number(of: time)) == wanted)
    }

    @Test("Successive periods have successive numbers", arguments: TelemetryPeriod.allCases)
    func successive(period: TelemetryPeriod) throws {
        let first = period.number(of: try Self.time("1999-12-30T00:00:00Z"))
        for number in first..<(first + 1500) {
            let (start, next) = (period.start(of: number), period.start(of: number + 1))
            #expect(period.number(of: start) == number)
            #expect(period.number(of: Timestamp(milliseconds: next.milliseconds - 1)) == number)
        }
    }

    @Test("A period that has not ended is as long as it has lasted")
    func seconds() throws {
        let start = try Self.time("2026-11-26T11:00:00Z")
        #expect(TelemetryPeriod.hour.seconds(from: start, until: start.advanced(bySeconds: 90)) == 90)
        #expect(TelemetryPeriod.hour.seconds(from: start, until: start.advanced(bySeconds: 9000)) == 3600)
        #expect(TelemetryPeriod.hour.seconds(from: start, until: start) == 1)
    }
}
