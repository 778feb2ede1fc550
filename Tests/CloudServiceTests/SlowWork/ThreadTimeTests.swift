import Dispatch
import Foundation
import Synchronization
import Testing

@testable import CloudService

@Suite("Processor times of threads")
struct ThreadTimeTests {
    @Test("The time of a thread is known to that thread only")
    func threads() {
        let time = ThreadTime.now
        #expect(time.elapsed.map { $0 >= .zero } == true)
        let elapsed = Mutex<Duration?>(.zero)
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            let there = time.elapsed
            elapsed.withLock { $0 = there }
            done.signal()
        }
        done.wait()
        #expect(elapsed.withLock { $0 } == nil)
    }
}
