// Owns what became of a batch that may have been too large for one request.
import Foundation

/// A batch as it went through: whole, or in two halves of which each is a batch again.
indirect enum BatchTree: Hashable, Sendable {
    case saved(Int)
    case halved(Int, first: BatchTree, second: BatchTree)

    /// How many records the batch has.
    var recordCount: Int {
        switch self {
        case .saved(let count), .halved(let count, _, _): count
        }
    }

    /// How many batches were saved in the end.
    var savedBatchCount: Int {
        switch self {
        case .saved: 1
        case .halved(_, let first, let second): first.savedBatchCount + second.savedBatchCount
        }
    }
}
