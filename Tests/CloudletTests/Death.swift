import Cloudlet
import Foundation

extension CKOperation {
    /// Runs the operation to its end, as in a process that ends before the completion block returns.
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

/// Blocks completion blocks until the test ends.
final class Death: Sendable {
    private let over = DispatchSemaphore(value: 0)

    func wait() {
        over.wait()
        over.signal()
    }

    func end() { over.signal() }
}
