import Foundation

/// Reads bytes and numbers from data. Offsets outside of the data return nil.
struct ImageBytes {
    private let data: Data

    init(_ data: Data) {
        self.data = data
    }

    subscript(offset: Int) -> UInt8? {
        offset >= 0 && offset < data.count ? data[data.startIndex + offset] : nil
    }

    func has(_ expected: [UInt8], at offset: Int) -> Bool {
        expected.indices.allSatisfy { self[offset + $0] == expected[$0] }
    }

    func starts(with expected: [UInt8]) -> Bool {
        has(expected, at: 0)
    }

    func big16(_ offset: Int) -> Int? {
        number16(offset, isLittle: false)
    }

    func big32(_ offset: Int) -> Int? {
        number32(offset, isLittle: false)
    }

    func number16(_ offset: Int, isLittle: Bool) -> Int? {
        guard let first = self[offset], let second = self[offset + 1] else { return nil }
        return isLittle ? Int(second) << 8 | Int(first) : Int(first) << 8 | Int(second)
    }

    func number32(_ offset: Int, isLittle: Bool) -> Int? {
        guard let first = number16(offset, isLittle: isLittle),
            let second = number16(offset + 2, isLittle: isLittle)
        else { return nil }
        return isLittle ? second << 16 | first : first << 16 | second
    }
}
