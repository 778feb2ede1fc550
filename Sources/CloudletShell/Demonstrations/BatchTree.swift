import Foundation

/// A batch as it went through: whole, or in two halves of which each is a batch again.
public indirect enum BatchTree: Hashable, Sendable {
    /// Saved whole.
    case saved(Int)
    /// Too large, and cut in two.
    case halved(Int, first: BatchTree, second: BatchTree)

    /// How many records the batch has.
    public var recordCount: Int {
        switch self {
        case .saved(let count), .halved(let count, _, _): count
        }
    }

    /// How many batches were saved in the end.
    public var savedBatchCount: Int {
        switch self {
        case .saved: 1
        case .halved(_, let first, let second): first.savedBatchCount + second.savedBatchCount
        }
    }
}
