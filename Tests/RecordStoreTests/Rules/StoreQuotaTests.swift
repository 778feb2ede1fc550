import RecordStore
import Records
import Testing

@Suite("Rules of quotas")
struct StoreQuotaTests {
    @Test("Sums of sizes saturate", arguments: [Int64.max, Int64.max - 1])
    func saturated(size: Int64) {
        let usage = StoreUsage(recordBytes: 2, assetBytes: 3)
        let change = StoreUsage(recordBytes: size, assetBytes: size)
        let sum = usage + change
        #expect(sum.total == .max)
        #expect(sum.assetBytes == .max)
        #expect((StoreUsage() - change - change).total == .min)
        #expect(!StoreQuota(totalBytes: .max - 2).admits(change, after: usage))
        #expect(StoreQuota(totalBytes: 10).fullness(at: sum) > 1)
    }

    @Test("A quota is exact to the byte")
    func exact() {
        let quota = StoreQuota(assetBytes: 10)
        let usage = StoreUsage(assetBytes: 4)
        #expect(quota.admits(StoreUsage(assetBytes: 6), after: usage))
        #expect(!quota.admits(StoreUsage(assetBytes: 7), after: usage))
    }
}
