import Foundation
import LocalReplica
import Records
import Testing

@testable import CloudSync

@Suite("Empty pages of a feed")
struct EmptyPageTests {
    @Test("Empty pages that advance a feed count as progress, up to a limit")
    func bounded() {
        let (step, now) = (SyncStep.fetch(ZoneID(name: "Notes")), Date(timeIntervalSince1970: 0))
        var stallDetector = StallDetector()
        func holds(_ watch: inout StallDetector, isEmpty: Bool) -> Bool {
            watch.recordPage(isEmpty: isEmpty)
            return watch.end(step, nil, at: now) != nil
        }
        for round in 0..<2 {
            var count = 0
            while count < 10_000, !holds(&stallDetector, isEmpty: true) { count += 1 }
            #expect(
                count == StallDetector.maximumEmptyPages + StallDetector.maximumFruitlessSteps - 1, "\(round)"
            )
            let isHeld = holds(&stallDetector, isEmpty: false)
            #expect(!isHeld)
        }
    }
}
