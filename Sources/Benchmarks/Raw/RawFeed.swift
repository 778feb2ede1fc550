import Foundation

/// Splices each row's bytes into JSON of the form that the server answers, with nobody looking at them.
struct RawFeed {
    let file: SQLiteFile

    func send() throws {
        let (end, other) = try SocketPair.make()
        let drained = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            SocketPair.drain(other)
            drained.signal()
        }
        try write(to: end)
        SocketPair.release(end)
        drained.wait()
        SocketPair.release(other)
    }

    private func write(to end: Int32) throws {
        let rows = try file.prepare(
            """
            SELECT name, fields, sequence, created_at, created_by, modified_at, modified_by
            FROM record
            WHERE zone = 1 AND sequence > 0
            ORDER BY sequence
            """
        )
        var buffer: [UInt8] = []
        buffer.reserveCapacity(160 * 1024)
        while try rows.step() {
            append("{\"recordName\":\"", rows.bytes(0), to: &buffer)
            append("\",\"recordType\":\"Item\",\"fields\":", rows.bytes(1), to: &buffer)
            append(",\"pluginFields\":{},\"recordChangeTag\":\"", rows.integer(2), to: &buffer)
            append("\",\"created\":{\"timestamp\":", rows.integer(3), to: &buffer)
            append(",\"userRecordName\":\"", rows.bytes(4), to: &buffer)
            append("\",\"deviceID\":\"iCloud\"},\"modified\":{\"timestamp\":", rows.integer(5), to: &buffer)
            append(",\"userRecordName\":\"", rows.bytes(6), to: &buffer)
            buffer.append(contentsOf: "\",\"deviceID\":\"iCloud\"},\"deleted\":false},".utf8)
            if buffer.count >= 128 * 1024 {
                try SocketPair.send(buffer, to: end)
                buffer.removeAll(keepingCapacity: true)
            }
        }
        try SocketPair.send(buffer, to: end)
    }

    private func append(_ text: StaticString, _ bytes: UnsafeRawBufferPointer, to buffer: inout [UInt8]) {
        buffer.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
        buffer.append(contentsOf: bytes)
    }

    private func append(_ text: StaticString, _ number: Int, to buffer: inout [UInt8]) {
        buffer.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
        buffer.append(contentsOf: String(number).utf8)
    }
}
