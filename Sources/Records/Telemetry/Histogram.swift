/// How often numbers of each size occurred, in buckets whose width grows with the number.
///
/// Each power of two is divided into eight buckets, so a percentile is at most 6 % away from the true number.
/// Numbers below 16 are exact. Two histograms can be added without loss.
package struct Histogram: Hashable, Sendable {
    /// How many numbers are in each bucket, up to the last bucket that is not empty.
    package private(set) var buckets: [Int64] = []
    /// The number of added numbers.
    package private(set) var count: Int64 = 0
    /// The sum of all numbers, clamped to the range of `Int64`.
    package private(set) var sum: Int64 = 0

    package init() {}

    /// The largest number with a bucket of its own, 2^40 - 1. Larger numbers are counted in the same bucket.
    package static let largest: Int64 = (1 << 40) - 1
    /// The maximum number of buckets.
    package static let bucketLimit = bucket(of: largest) + 1

    /// Adds a number. Negative ones count as 0.
    package mutating func add(_ number: Int64, times: Int64 = 1) {
        let number = max(0, number)
        let bucket = Self.bucket(of: number)
        if bucket >= buckets.count {
            buckets.append(contentsOf: repeatElement(0, count: bucket + 1 - buckets.count))
        }
        buckets[bucket] = buckets[bucket].addingSaturated(times)
        count = count.addingSaturated(times)
        sum = sum.addingSaturated(number.multipliedSaturated(by: times))
    }

    /// Adds all numbers of another histogram.
    package mutating func merge(_ other: Histogram) {
        if other.buckets.count > buckets.count {
            buckets.append(contentsOf: repeatElement(0, count: other.buckets.count - buckets.count))
        }
        for (bucket, number) in other.buckets.enumerated() where number > 0 {
            buckets[bucket] = buckets[bucket].addingSaturated(number)
        }
        count = count.addingSaturated(other.count)
        sum = sum.addingSaturated(other.sum)
    }

    /// The average; 0 without numbers.
    package var average: Double { count == 0 ? 0 : Double(sum) / Double(count) }

    /// The percentile for a share from 0 to 1: the middle of the bucket that contains it. nil without
    /// numbers.
    package func percentile(_ share: Double) -> Int64? {
        guard count > 0 else { return nil }
        let rank = max(1, Int64((share * Double(count)).rounded(.up)))
        var seen: Int64 = 0
        for (bucket, number) in buckets.enumerated() {
            seen = seen.addingSaturated(number)
            if seen >= rank {
                let range = Self.range(of: bucket)
                return (range.lowerBound + range.upperBound - 1) / 2
            }
        }
        return nil
    }

    /// How many numbers are below `bound`, which must be 16 or more and a power of two.
    package func count(below bound: Int64) -> Int64 {
        buckets.prefix(Self.bucket(of: bound)).saturatedSum
    }

    /// The bucket of a number.
    package static func bucket(of number: Int64) -> Int {
        let number = min(max(0, number), largest)
        if number < 8 { return Int(number) }
        let octave = 63 - number.leadingZeroBitCount
        return (octave - 2) * 8 + Int((number >> (octave - 3)) & 7)
    }

    /// The numbers in a bucket.
    package static func range(of bucket: Int) -> Range<Int64> {
        if bucket < 8 { return Int64(bucket)..<Int64(bucket + 1) }
        let width = Int64(1) << (bucket / 8 - 1)
        let start = Int64(8 + bucket % 8) * width
        return start..<(start + width)
    }
}

// MARK: - Bytes

extension Histogram {
    /// Appends the histogram: the sum, the number of buckets that are not empty, and for each of them the
    /// distance from the one before and its number.
    func write(to bytes: inout PackedNumbers) {
        bytes.append(sum)
        bytes.append(Int64(buckets.count { $0 > 0 }))
        var last = 0
        for (bucket, number) in buckets.enumerated() where number > 0 {
            bytes.append(Int64(bucket - last))
            bytes.append(number)
            last = bucket
        }
    }

    /// Reads what `write` appended; nil for bytes that it cannot have written.
    init?(_ bytes: inout PackedNumbers) {
        guard let sum = bytes.next(), let size = bytes.next(), size <= Self.bucketLimit else { return nil }
        var bucket = 0
        for _ in 0..<size {
            guard let distance = bytes.next(), let number = bytes.next(), number > 0,
                distance < Self.bucketLimit - bucket
            else { return nil }
            bucket += Int(distance)
            while buckets.count <= bucket { buckets.append(0) }
            buckets[bucket] = buckets[bucket].addingSaturated(number)
            count = count.addingSaturated(number)
        }
        self.sum = sum
    }
}
