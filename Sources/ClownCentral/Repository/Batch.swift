import Foundation

/// How much goes into one request.
enum Batch {
    /// The number of records that one request carries: as many as the server takes.
    static let largest = 200
}

extension Array {
    /// The elements in runs of at most `size`.
    func chunks(of size: Int) -> [[Element]] {
        stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
    }
}
