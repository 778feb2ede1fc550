import Foundation

/// The limit of one request.
enum Batch {
    /// The largest number of records that the server accepts in one request.
    static let maximumRecords = 200
}

extension Array {
    /// Splits the array into consecutive chunks of at most `size` elements.
    func chunks(of size: Int) -> [[Element]] {
        stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
    }
}
