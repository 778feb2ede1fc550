import Foundation
import Testing

@testable import CommandShell

@Suite("Parsing times, places and distances")
struct MomentReaderTests {
    // 2026-07-04 18:00 UTC
    private let reader = MomentReader(now: Date(timeIntervalSince1970: 1_783_188_000))

    @Test(
        "Every documented form of a time is parsed",
        arguments: [
            ("now", "2026-07-04T18:00:00Z"),
            ("today", "2026-07-04T00:00:00Z"),
            ("tomorrow", "2026-07-05T00:00:00Z"), ("yesterday", "2026-07-03T00:00:00Z"),
            ("+2d", "2026-07-06T18:00:00Z"),
            ("+3h", "2026-07-04T21:00:00Z"),
            ("-30m", "2026-07-04T17:30:00Z"),
            ("+1w", "2026-07-11T18:00:00Z"),
            ("2028-02-29", "2028-02-29T00:00:00Z"),
            ("2026-07-04T18:00", "2026-07-04T18:00:00Z"),
            ("2026-07-04 18:00:30Z", "2026-07-04T18:00:30Z"),
            ("2026-07-04T18:00+02:00", "2026-07-04T16:00:00Z"),
            ("2026-07-04T18:00-0530", "2026-07-04T23:30:00Z"),
        ]
    )
    func moments(text: String, expected: String) throws {
        #expect(reader.moment(text).map(MomentText.iso) == expected)
    }

    @Test(
        "An invalid time is refused",
        arguments: [
            "", "soon", "2027-02-29", "2026-13-01", "2026-7-4", "2026-07-04T24:00", "2026-07-04T18:60", "+",
            "+d",
            "+2y", "+-2d", "2026-07-04T18:00+2", "2026-07-04Z", "+infd",
        ]
    )
    func refused(text: String) {
        #expect(reader.moment(text) == nil)
    }

    @Test("Places have latitudes to ±90 and longitudes to ±180")
    func places() {
        #expect(MeasureReader.place("37.78,-122.40") == Value.Location(latitude: 37.78, longitude: -122.4))
        for text in ["91,0", "0,181", "1", "1,2,3", "a,b", "", "nan,0", "1e1,2"] {
            #expect(MeasureReader.place(text) == nil)
        }
    }

    @Test("Distances need a unit")
    func distances() {
        #expect(MeasureReader.distance("500m") == 500)
        #expect(MeasureReader.distance("5km") == 5000)
        #expect(MeasureReader.distance("1.5KM") == 1500)
        #expect(MeasureReader.distance("1mi") == 1609.344)
        for text in ["5", "km", "-5km", "0m", "5 furlongs", "infm"] {
            #expect(MeasureReader.distance(text) == nil)
        }
    }

    @Test(
        "Every date can be formatted, also distant ones and NaN",
        arguments: [
            (Double.infinity, "9999-12-31T23:59:59.999Z"), (-.infinity, "0001-01-01T00:00:00Z"),
            (.nan, "9999-12-31T23:59:59.999Z"), (1e18, "9999-12-31T23:59:59.999Z"),
            (-1e18, "0001-01-01T00:00:00Z"), (9.223_372_036_854_775e15, "9999-12-31T23:59:59.999Z"),
        ])
    func extremes(seconds: Double, expected: String) {
        #expect(MomentText.iso(Date(timeIntervalSince1970: seconds)) == expected)
    }
}
