/// Finds the status and the end of a response. The client sends a request only after the previous response is
/// complete, so all bytes belong to one response.
struct ResponseScanner {
    private enum State {
        case head
        case body(remaining: Int)
        case chunkSize(Int)
        case chunkData(remaining: Int)
        case chunkEnd(isLast: Bool)
    }

    private var state = State.head
    private var head: [UInt8] = []
    /// The offsets at which the lines of the head begin.
    private var lines: [Int] = []
    private(set) var status = 0
    private(set) var bodyBytes = 0
    /// The body; empty without `keepsBody`.
    private(set) var body: [UInt8] = []
    private let keepsBody: Bool

    init(keepsBody: Bool) {
        self.keepsBody = keepsBody
    }

    /// Returns true if the response is complete.
    mutating func scan(_ bytes: UnsafeRawBufferPointer) throws -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            switch state {
            case .head:
                try scanHead(&rest)
            case .body(let remaining):
                state = .body(remaining: remaining - take(remaining, from: &rest))
            case .chunkSize, .chunkData, .chunkEnd:
                if try scanChunk(&rest) { return true }
            }
            if case .body(remaining: 0) = state { return true }
        }
        return false
    }

    private mutating func scanHead(_ rest: inout Slice<UnsafeRawBufferPointer>) throws {
        while let byte = rest.popFirst() {
            // Header names are case-insensitive.
            head.append((65...90).contains(byte) ? byte | 0x20 : byte)
            guard byte == UInt8(ascii: "\n") else { continue }
            lines.append(head.count)
            guard head.count > 3, head[head.count - 3] == byte else { continue }
            status = head.prefix(12).suffix(3).reduce(0) { $0 * 10 + Int($1) - 48 }
            if let length = number(after: "content-length: ") {
                state = .body(remaining: length)
            } else if offset(after: "transfer-encoding: chunked") != nil {
                state = .chunkSize(0)
            } else if status == 204 {
                state = .body(remaining: 0)
            } else {
                throw BenchmarkError("a response has no length: \(String(decoding: head, as: UTF8.self))")
            }
            return
        }
    }

    private func number(after name: StaticString) -> Int? {
        guard let offset = offset(after: name) else { return nil }
        return head[offset...].prefix { $0 != UInt8(ascii: "\r") }.reduce(0) { $0 * 10 + Int($1) - 48 }
    }

    private func offset(after name: StaticString) -> Int? {
        let name = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
        return lines.first { head[$0...].starts(with: name) }.map { $0 + name.count }
    }

    private mutating func scanChunk(_ rest: inout Slice<UnsafeRawBufferPointer>) throws -> Bool {
        switch state {
        case .chunkSize(let size):
            guard let byte = rest.popFirst() else { return false }
            if byte == UInt8(ascii: "\n") {
                state = size == 0 ? .chunkEnd(isLast: true) : .chunkData(remaining: size)
            } else if byte != UInt8(ascii: "\r") {
                guard let digit = Character(UnicodeScalar(byte)).hexDigitValue else {
                    throw BenchmarkError("a response has an invalid chunk")
                }
                state = .chunkSize(size << 4 + digit)
            }
        case .chunkData(let remaining):
            let left = remaining - take(remaining, from: &rest)
            state = left == 0 ? .chunkEnd(isLast: false) : .chunkData(remaining: left)
        case .chunkEnd(let isLast):
            guard rest.popFirst() == UInt8(ascii: "\n") else { return false }
            if isLast { return true }
            state = .chunkSize(0)
        case .head, .body:
            break
        }
        return false
    }

    private mutating func take(_ count: Int, from rest: inout Slice<UnsafeRawBufferPointer>) -> Int {
        let taken = min(count, rest.count)
        if keepsBody { body.append(contentsOf: rest.prefix(taken)) }
        bodyBytes += taken
        rest = rest.dropFirst(taken)
        return taken
    }
}
