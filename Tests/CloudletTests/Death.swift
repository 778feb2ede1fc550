import Cloudlet
import Foundation

extension CKOperation {
    /// Runs the operation to its end as in a process that goes before the completion block has returned.
    func endWithoutCompletion(_ death: Death) async {
        await withCheckedContinuation { done in
            completionBlock = {
                done.resume()
                death.wait()
            }
            OperationQueue().addOperation(self)
        }
    }
}

/// Holds completion blocks back until the test is over.
final class Death: Sendable {
    private let over = DispatchSemaphore(value: 0)

    func wait() {
        over.wait()
        over.signal()
    }

    func end() { over.signal() }
}
