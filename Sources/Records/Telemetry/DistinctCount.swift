import Foundation

/// Estimates how many distinct names were added, within about 2 %, without keeping the names
/// (P. Flajolet et al., *HyperLogLog*, 2007). Counts up to about twenty are nearly always exact.
///
/// Two counts can be merged. A name that was added to both then counts once.
package struct DistinctCount: Hashable, Sendable {
    /// For each of 4096 groups of hashes, the longest run of zeros seen, plus 1; empty while nothing was
    /// added.
    private var registers: [UInt8] = []

    package init() {}

    private static let indexBits = 12
    private static let size = 1 << indexBits
    /// The largest value of a register: the longest possible run of zeros, plus 1.
    private static let highest = UInt8(64 - indexBits + 1)

    package mutating func add(_ name: String) {
        let hash = Self.hash(name)
        let index = Int(hash >> UInt64(64 - Self.indexBits))
        let rest = hash << UInt64(Self.indexBits)
        let run = min(UInt8(rest.leadingZeroBitCount + 1), Self.highest)
        if registers.isEmpty { registers = Array(repeating: 0, count: Self.size) }
        registers[index] = max(registers[index], run)
    }

    package mutating func merge(_ other: DistinctCount) {
        if other.registers.isEmpty { return }
        if registers.isEmpty {
            registers = other.registers
        } else {
            for index in registers.indices {
                registers[index] = max(registers[index], other.registers[index])
            }
        }
    }

    package var isEmpty: Bool { registers.isEmpty }

    /// The estimate, rounded.
    package var count: Int64 {
        if registers.isEmpty { return 0 }
        let size = Double(Self.size)
        var sum = 0.0
        var zeros = 0
        for register in registers {
            sum += 1 / Double(UInt64(1) << UInt64(min(register, 63)))
            if register == 0 { zeros += 1 }
        }
        let estimate = 0.7213 / (1 + 1.079 / size) * size * size / sum
        if estimate <= 2.5 * size, zeros > 0 {
            return Int64((size * log(size / Double(zeros))).rounded())
        }
        return Int64(estimate.rounded())
    }

    /// A hash that stays the same over restarts: FNV-1a, then the finaliser of MurmurHash3, because FNV-1a
    /// spreads its high bits badly.
    private static func hash(_ name: String) -> UInt64 {
        var hash = FNV1a.hash(of: name.utf8)
        hash = (hash ^ (hash >> 33)) &* 0xff51_afd7_ed55_8ccd
        hash = (hash ^ (hash >> 33)) &* 0xc4ce_b9fe_1a85_ec53
        return hash ^ (hash >> 33)
    }
}

extension DistinctCount {
    /// The groups that are not empty: for each the distance from the one before, and its value.
    package var packed: [UInt8] {
        var bytes = PackedNumbers()
        var last = 0
        for (index, register) in registers.enumerated() where register > 0 {
            bytes.append(Int64(index - last))
            bytes.append(Int64(register))
            last = index
        }
        return bytes.bytes
    }

    /// Reads stored groups; nil for bytes that `packed` cannot have made.
    package init?(packed: [UInt8]) {
        var bytes = PackedNumbers(packed)
        var index: Int64 = 0
        while !bytes.isAtEnd {
            guard let distance = bytes.next(), let value = bytes.next(),
                (1...Int64(Self.highest)).contains(value),
                distance < Int64(Self.size) - index
            else { return nil }
            index += distance
            if registers.isEmpty { registers = Array(repeating: 0, count: Self.size) }
            registers[Int(index)] = UInt8(value)
        }
    }
}
