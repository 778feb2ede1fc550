/// A growing byte buffer with a single owner. Appending only checks the capacity, so that answers made of
/// many small pieces cost little more than copying.
// `@unchecked Sendable`: the memory belongs to this value alone, and the value cannot be copied.
package struct GrowingBytes: ~Copyable, @unchecked Sendable {
    private var memory: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    private(set) var count = 0

    init(capacity: Int) {
        self.capacity = max(capacity, 32)
        memory = .allocate(capacity: self.capacity)
    }

    deinit {
        memory.deallocate()
    }

    /// A copy of the appended bytes.
    var array: [UInt8] { Array(UnsafeBufferPointer(start: memory, count: count)) }

    borrowing func withBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
        body(UnsafeRawBufferPointer(start: memory, count: count))
    }

    /// Removes all bytes and keeps the capacity.
    mutating func removeAll() {
        count = 0
    }

    @inline(__always)
    mutating func append(_ byte: UInt8) {
        reserve(1)
        memory[count] = byte
        count += 1
    }

    @inline(__always)
    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let start = bytes.baseAddress else { return }
        reserve(bytes.count)
        memory.advanced(by: count).update(from: start, count: bytes.count)
        count += bytes.count
    }

    @inline(__always)
    mutating func append(_ text: StaticString) {
        append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    mutating func append(_ bytes: some Collection<UInt8>) {
        let isContiguous: Void? = bytes.withContiguousStorageIfAvailable { append($0) }
        if isContiguous == nil { for byte in bytes { append(byte) } }
    }

    /// Reserves `room` bytes, lets `fill` write to them, and appends as many as `fill` returns.
    @inline(__always)
    mutating func append(atMost room: Int, _ fill: (UnsafeMutablePointer<UInt8>) -> Int) {
        reserve(room)
        count += fill(memory.advanced(by: count))
    }

    /// Reserves capacity for `more` bytes.
    mutating func makeRoom(for more: Int) {
        reserve(more)
    }

    @inline(__always)
    private mutating func reserve(_ more: Int) {
        if count + more > capacity { grow(count + more) }
    }

    @inline(never)
    private mutating func grow(_ needed: Int) {
        capacity = max(needed, capacity * 2)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        larger.update(from: memory, count: count)
        memory.deallocate()
        memory = larger
    }
}
