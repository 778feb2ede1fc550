import Foundation
import Records
import Testing

@Suite("Times")
struct TimestampTests {
    @Test(
        "A date beyond the range becomes the nearest limit, and NaN becomes the latest timestamp",
        arguments: [
            (0.0, Int64(0)), (1.0015625, 1002), (-1.0015625, -1002), (1e300, .max), (-1e300, .min),
            (.infinity, .max), (-.infinity, .min), (.nan, .max), (.greatestFiniteMagnitude, .max),
            (Double(Int64.max) / 1000, .max), (Double(Int64.min) / 1000, .min),
        ])
    func dates(seconds: Double, milliseconds: Int64) {
        let date = Date(timeIntervalSince1970: seconds)
        #expect(Timestamp(date).milliseconds == milliseconds)
    }

    @Test("Converting the extreme timestamps to dates and back does not overflow")
    func roundTrip() {
        for milliseconds in [Int64.min, Int64.min + 1, -1, 0, 1, Int64.max - 1, Int64.max] {
            let again = Timestamp(Timestamp(milliseconds: milliseconds).date).milliseconds
            // A double has a precision of 53 bits.
            #expect(
                again == milliseconds || abs(milliseconds.magnitude.distance(to: again.magnitude)) <= 1024)
        }
        #expect(Timestamp(Date(timeIntervalSince1970: 1.0015625), rounded: .down).milliseconds == 1001)
    }

    @Test("Adding seconds is clamped to the range")
    func sums() {
        let (first, last) = (Timestamp(milliseconds: .min), Timestamp(milliseconds: .max))
        #expect(last.advanced(bySeconds: 1) == last)
        #expect(first.advanced(bySeconds: -1) == first)
        #expect(Timestamp(milliseconds: 0).advanced(bySeconds: .max) == last)
        #expect(Timestamp(milliseconds: 0).advanced(bySeconds: .min) == first)
        #expect(last.advanced(bySeconds: -1).milliseconds == .max - 1000)
    }
}
