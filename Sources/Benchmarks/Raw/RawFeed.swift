import Foundation
import GRDB
import RecordStore
import RecordStoreSQLite
import Records

/// The baseline of P4: reads a zone in the order of its changes from the server's own database file and
/// splices the rows' bytes into JSON of the server's format.
struct RawFeed {
    private let database: DatabaseQueue
    private let zone: String

    /// - Parameter file: The server's database. Nothing may write to it at the same time.
    init(file: URL, zone: String) throws {
        database = try StoreConnection.reading(file)
        self.zone = zone
    }

    /// Sends the whole zone through a socket and returns the number of bytes.
    func send() throws -> Int {
        let (end, other) = try SocketPair.make()
        let drained = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            SocketPair.drain(other)
            drained.signal()
        }
        defer {
            SocketPair.release(end)
            drained.wait()
            SocketPair.release(other)
        }
        return try database.read { try write($0, to: end) }
    }

    private func write(_ database: Database, to end: Int32) throws -> Int {
        var rows = try RecordStoreSQLite.SQL(
            database,
            """
            SELECT r.name, r.fields, r.sequence, r.head
            FROM zone z
            JOIN record r ON r.zone = z.id
            WHERE z.name = ? AND r.sequence > 0
            ORDER BY r.sequence
            """
        )
        rows.bind(.text(zone))
        var buffer: [UInt8] = []
        buffer.reserveCapacity(160 * 1024)
        var sent = 0
        while try rows.step() {
            let head = RecordHead(rows.memoryOrNone(3))
            append("{\"recordName\":\"", rows.memoryOrNone(0), to: &buffer)
            append("\",\"recordType\":\"Item\",\"fields\":", rows.memoryOrNone(1), to: &buffer)
            append(",\"pluginFields\":{},\"recordChangeTag\":\"", rows.integer(2), to: &buffer)
            append("\",\"created\":{\"timestamp\":", head.created.milliseconds, to: &buffer)
            append(",\"userRecordName\":\"", head.bytes(of: .creator), to: &buffer)
            append(
                "\",\"deviceID\":\"iCloud\"},\"modified\":{\"timestamp\":", head.modified.milliseconds,
                to: &buffer)
            append(",\"userRecordName\":\"", head.bytes(of: .modifier), to: &buffer)
            append(
                "\",\"deviceID\":\"iCloud\"},\"deleted\":false,\"zoneID\":{\"zoneName\":\"", nil, to: &buffer)
            buffer.append(contentsOf: zone.utf8)
            append("\",\"ownerRecordName\":\"", head.bytes(of: .creator), to: &buffer)
            append("\",\"zoneType\":\"REGULAR_CUSTOM_ZONE\"}},", nil, to: &buffer)
            if buffer.count >= 128 * 1024 {
                try SocketPair.send(buffer, to: end)
                sent += buffer.count
                buffer.removeAll(keepingCapacity: true)
            }
        }
        try SocketPair.send(buffer, to: end)
        return sent + buffer.count
    }

    private func append(
        _ text: StaticString, _ bytes: UnsafeRawBufferPointer?, to buffer: inout [UInt8]
    ) {
        buffer.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
        if let bytes { buffer.append(contentsOf: bytes) }
    }

    private func append(_ text: StaticString, _ number: Int64, to buffer: inout [UInt8]) {
        append(text, nil, to: &buffer)
        buffer.append(contentsOf: String(number).utf8)
    }
}
