import Foundation
import Synchronization

/// A server that does nothing but what cannot be left out: a save writes the record and what each person is
/// told, is flushed, and then as many threads as there are processors send the same bytes to every device.
final class RawPushes: Sendable {
    let address: HTTPAddress
    private let sockets: Mutex<[Int32]>
    private let ended = DispatchSemaphore(value: 0)

    /// What each person is told, as the store keeps it, and as it is sent.
    private static let note = [UInt8](repeating: 0x20, count: 250)
    private static let push = Array("{\"qry\":\(String(repeating: " ", count: 630))}\r\n".utf8)
    private static let begun = Array("HTTP/1.1 200 OK\r\n\r\n".utf8)
    private static let saved = Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}".utf8)

    /// Listens. The devices connect first, then whoever saves.
    init(folder: URL, devices: Int, people: Int) throws {
        // A device that has gone is an error of a write, not the end of the process.
        signal(SIGPIPE, SIG_IGN)
        let (listener, port) = try LoopbackSocket.listening()
        address = HTTPAddress(host: "127.0.0.1", port: port)
        sockets = Mutex([listener])
        Thread.detachNewThread { [self] in
            // Whoever waits for what does not come finds its connection shut.
            try? serve(listener, devices, people, RawStore(folder: folder))
            shutAll()
            ended.signal()
        }
    }

    /// Ends it, also amid its work.
    func stop() {
        shutAll()
        ended.wait()
        for socket in sockets.withLock({ $0 }) { SocketPair.release(socket) }
    }

    private func shutAll() {
        for socket in sockets.withLock({ $0 }) { LoopbackSocket.shut(socket) }
    }

    private func connection(to listener: Int32) throws -> Int32 {
        let connection = try LoopbackSocket.connection(to: listener)
        sockets.withLock { $0.append(connection) }
        return connection
    }

    private func serve(_ listener: Int32, _ devices: Int, _ people: Int, _ store: RawStore) throws {
        let notes = try RawNotes(store.file, people: people)
        var links: [Int32] = []
        for _ in 0..<devices {
            let link = try connection(to: listener)
            links.append(link)
            _ = LoopbackSocket.receive(from: link)
            try SocketPair.send(Self.begun, to: link)
        }
        let saver = try connection(to: listener)
        let count = ProcessInfo.processInfo.activeProcessorCount
        let senders = (0..<count).map { place in
            RawSender(stride(from: place, to: links.count, by: count).map { links[$0] }, Self.push)
        }
        defer { for sender in senders { sender.stop() } }
        var number = 0
        while LoopbackSocket.receive(from: saver) {
            number += 1
            try store.save([SampleRecord(number: number, seed: 1)]) { try notes.add(number, Self.note) }
            for sender in senders { sender.go() }
            try SocketPair.send(Self.saved, to: saver)
        }
    }
}

/// A thread that sends the same bytes to its devices whenever it is told to.
private final class RawSender: Sendable {
    private let turn = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)
    private let isOver = Mutex(false)

    init(_ devices: [Int32], _ bytes: [UInt8]) {
        let (turn, ended) = (turn, ended)
        Thread.detachNewThread { [self] in
            turn.wait()
            while !isOver.withLock({ $0 }) {
                for device in devices { try? SocketPair.send(bytes, to: device) }
                turn.wait()
            }
            ended.signal()
        }
    }

    func go() {
        turn.signal()
    }

    func stop() {
        isOver.withLock { $0 = true }
        turn.signal()
        ended.wait()
    }
}

/// The table of what people are told, with its indexes.
private final class RawNotes {
    private let insert: SQLiteStatement
    private let people: [String]
    private var last = 0

    init(_ file: SQLiteFile, people count: Int) throws {
        try file.execute(Self.schema)
        people = (0..<count).map { _ in "_" + UUID().uuidString.lowercased().filter { $0 != "-" } }
        insert = try file.prepare(
            "INSERT INTO notification (id, owner, name, is_read, time, content) VALUES (?, ?, ?, 0, ?, ?)")
    }

    func add(_ change: Int, _ content: [UInt8]) throws {
        let digits = String(change)
        let name = "11111111-1111-8111-8111-" + String(repeating: "0", count: 12 - digits.count) + digits
        for person in people {
            last += 1
            insert.bind(1, last)
            insert.bind(2, person)
            insert.bind(3, name)
            insert.bind(4, 1_700_000_000_000 + change)
            insert.bindBlob(5, content)
            try insert.run()
        }
    }

    private static let schema = """
        CREATE TABLE notification (
            id INTEGER PRIMARY KEY,
            owner TEXT NOT NULL,
            name TEXT,
            is_read INTEGER NOT NULL,
            time INTEGER NOT NULL,
            content BLOB NOT NULL
        ) STRICT;
        CREATE INDEX notification_by_owner ON notification (owner, id) WHERE is_read = 0;
        CREATE INDEX notification_by_name ON notification (name, owner) WHERE name IS NOT NULL;
        CREATE INDEX notification_by_time ON notification (time);
        CREATE INDEX notification_read ON notification (owner, id) WHERE is_read = 1;
        """
}
