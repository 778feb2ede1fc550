import Cloudlet
import Foundation
import Synchronization

/// Collects lines from any queue, in the order in which they are added.
final class Log: Sendable {
    private let lines = Mutex<[String]>([])

    func add(_ line: String) {
        lines.withLock { $0.append(line) }
    }

    var all: [String] { lines.withLock { $0 } }
}

extension CKOperation {
    /// Runs the operation in a queue, by default a new one, and returns after its completion block.
    func run(in queue: OperationQueue = OperationQueue()) async {
        await withCheckedContinuation { done in
            completionBlock = { done.resume() }
            queue.addOperation(self)
        }
    }
}

extension Result {
    /// The code of a failure; 0 for a success, -1 for an error of another kind.
    var code: Int {
        guard let failure else { return 0 }
        return (failure as? CKError)?.code.rawValue ?? -1
    }
}

extension Optional where Wrapped == any Error {
    /// The code of an error; 0 for none, -1 for one of another kind.
    var code: Int {
        guard let self else { return 0 }
        return (self as? CKError)?.code.rawValue ?? -1
    }
}
