import Records
import Testing

@Suite("Histograms")
struct HistogramTests {
    @Test(
        "A number lies in its bucket, and buckets follow each other without gaps",
        arguments: [0, 1, 7, 8, 15, 16, 17, 255, 256, 1000, 65_535, 1 << 39, Histogram.largest] as [Int64])
    func buckets(number: Int64) {
        let bucket = Histogram.bucket(of: number)
        let range = Histogram.range(of: bucket)
        #expect(range.contains(number))
        #expect(Histogram.range(of: bucket + 1).lowerBound == range.upperBound)
        // A bucket is at most an eighth of its numbers wide.
        #expect(range.count <= max(1, Int(range.lowerBound / 8)))
    }

    @Test("Numbers beyond the ends count in the first and the last bucket")
    func ends() {
        #expect(Histogram.bucket(of: -1) == 0)
        #expect(Histogram.bucket(of: .max) == Histogram.bucket(of: Histogram.largest))
        #expect(Histogram.bucket(of: .max) == Histogram.bucketLimit - 1)
        var histogram = Histogram()
        histogram.add(.max)
        histogram.add(.max)
        histogram.add(.min)
        #expect(histogram.count == 3)
        #expect(histogram.sum == .max)
    }

    @Test("Percentiles are at most a sixteenth away from the true numbers")
    func percentiles() throws {
        var histogram = Histogram()
        for number in 1...10_000 { histogram.add(Int64(number)) }
        for share in [0.01, 0.5, 0.95, 0.99, 1] {
            let found = try #require(histogram.percentile(share))
            let wanted = share * 10_000
            #expect(abs(Double(found) - wanted) <= wanted / 16, "\(share): \(found)")
        }
        #expect(histogram.average == 5000.5)
        #expect(Histogram().percentile(0.5) == nil)
        #expect(Histogram().average == 0)
    }

    @Test("Adding two histograms is the same as adding their numbers to one")
    func merging() {
        var (first, second, both) = (Histogram(), Histogram(), Histogram())
        for number in [0, 5, 900, 70_000] as [Int64] {
            first.add(number)
            both.add(number)
        }
        for number in [5, 1_000_000, 3] as [Int64] {
            second.add(number, times: 4)
            both.add(number, times: 4)
        }
        first.merge(second)
        #expect(first == both)
    }

    @Test("Counts below a power of two are exact")
    func below() {
        var histogram = Histogram()
        for number in [100, 255, 256, 300, 1024] as [Int64] { histogram.add(number) }
        #expect([16, 256, 512, 1024, 2048].map { histogram.count(below: $0) } == [0, 2, 4, 4, 5])
    }
}
