import Foundation

/// The history of a batch: it was saved as a whole, or split into halves, which are batches again.
public indirect enum BatchTree: Hashable, Sendable {
    /// The batch was saved as a whole; its number of records.
    case saved(Int)
    /// The batch was too large and was split into two.
    case halved(Int, first: BatchTree, second: BatchTree)

    /// The number of records in the batch.
    public var recordCount: Int {
        switch self {
        case .saved(let count), .halved(let count, _, _): count
        }
    }

    /// The number of batches that were finally saved.
    public var savedBatchCount: Int {
        switch self {
        case .saved: 1
        case .halved(_, let first, let second): first.savedBatchCount + second.savedBatchCount
        }
    }
}
