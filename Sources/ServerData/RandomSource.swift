import Foundation
import Synchronization

/// A random number generator: the system's, or a reproducible one.
package final class RandomSource: Sendable {
    fileprivate struct State {
        /// The state of the reproducible generator (SplitMix64); nil for the system's.
        var seeded: UInt64?
        /// Words from the system that have not been used yet. A system call takes a microsecond, for one word
        /// as for many.
        var words: [UInt64] = []
    }

    private let state: Mutex<State>

    /// - Parameter seed: the seed of the reproducible generator; nil for the system's generator.
    package init(seed: UInt64?) {
        state = Mutex(State(seeded: seed))
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
    /// The maximal number of words that the system returns in one call.
    private static let wordsAtOnce = 256 / 8

    fileprivate mutating func next() -> UInt64 {
        if var value = seeded {
            value &+= 0x9e37_79b9_7f4a_7c15
            seeded = value
            value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
            value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
            return value ^ (value >> 31)
        }
        if words.isEmpty {
            words = [UInt64](repeating: 0, count: Self.wordsAtOnce)
            let code = words.withUnsafeMutableBytes { getentropy($0.baseAddress, $0.count) }
            if code != 0 { words = [UInt64.random(in: .min ... .max)] }
        }
        return words.removeLast()
    }
}
