import Foundation
import Records
import Synchronization

/// A random number generator: the system's, or a reproducible one.
package final class RandomSource: Sendable {
    fileprivate struct State {
        /// The reproducible generator; nil for the system's.
        var seeded: SplitMix64?
        /// Words from the system that have not been used yet. A system call takes a microsecond, for one word
        /// as for many.
        var words: [UInt64] = []
    }

    private let state: Mutex<State>

    /// - Parameter seed: the seed of the reproducible generator; nil for the system's generator.
    package init(seed: UInt64?) {
        state = Mutex(State(seeded: seed.map { SplitMix64(seed: $0) }))
    }

    package func bytes(_ count: Int) -> [UInt8] {
        state.withLock { state in
            [UInt8](unsafeUninitializedCapacity: count) { memory, written in
                while written < count {
                    withUnsafeBytes(of: state.next().littleEndian) { word in
                        for byte in word.prefix(count - written) {
                            memory.initializeElement(at: written, to: byte)
                            written += 1
                        }
                    }
                }
            }
        }
    }
}

extension RandomSource.State {
    /// The largest number of words that `getentropy` returns in one call.
    private static let wordsAtOnce = 256 / 8

    fileprivate mutating func next() -> UInt64 {
        if let number = seeded?.next() { return number }
        if words.isEmpty {
            words = [UInt64](repeating: 0, count: Self.wordsAtOnce)
            let code = words.withUnsafeMutableBytes { getentropy($0.baseAddress, $0.count) }
            if code != 0 { words = [UInt64.random(in: .min ... .max)] }
        }
        return words.removeLast()
    }
}
