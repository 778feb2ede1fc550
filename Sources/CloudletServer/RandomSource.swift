// Owns where random bytes come from.

import Synchronization

/// The system's generator, or a reproducible one.
final class RandomSource: Sendable {
    /// The state of the reproducible generator (SplitMix64); nil for the system's.
    private let state: Mutex<UInt64?>

    init(seed: UInt64?) {
        state = Mutex(seed)
    }

    func bytes(_ count: Int) -> [UInt8] {
        state.withLock { state in
            [UInt8](unsafeUninitializedCapacity: count) { memory, written in
                var system = SystemRandomNumberGenerator()
                while written < count {
                    let word = Self.next(&state) ?? system.next()
                    withUnsafeBytes(of: word.littleEndian) { word in
                        for byte in word.prefix(count - written) {
                            memory.initializeElement(at: written, to: byte)
                            written += 1
                        }
                    }
                }
            }
        }
    }

    private static func next(_ state: inout UInt64?) -> UInt64? {
        guard var value = state else { return nil }
        value &+= 0x9e37_79b9_7f4a_7c15
        state = value
        value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
        value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
        return value ^ (value >> 31)
    }
}
