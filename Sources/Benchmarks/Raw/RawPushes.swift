import Foundation
import Synchronization

/// A server that does nothing but what cannot be left out: a save writes the rows that Cloudlet wrote for it,
/// the record and what each person is told, and flushes them; then as many threads as there are processors
/// send the same bytes to every device.
final class RawPushes: Sendable {
    let address: HTTPAddress
    private let sockets: Mutex<[Int32]>
    private let ended = DispatchSemaphore(value: 0)
    /// What each device is told.
    private let push: [UInt8]

    private static let begun = Array("HTTP/1.1 200 OK\r\n\r\n".utf8)
    private static let saved = Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}".utf8)

    /// Listens. The devices connect first, then whoever saves.
    ///
    /// - Parameters:
    ///   - file: the database of a server that was sent so many saves and told its people of each.
    ///   - folder: for a database of its own.
    ///   - pushBytes: how many bytes the server sent to each device for a save.
    init(rewriting file: URL, saves: Int, in folder: URL, devices: Int, pushBytes: Int) throws {
        let (start, end) = ("{\"qry\":", "}\r\n")
        let padding = String(repeating: " ", count: max(0, pushBytes - start.count - end.utf8.count))
        push = Array((start + padding + end).utf8)
        // A device that has gone is an error of a write, not the end of the process.
        signal(SIGPIPE, SIG_IGN)
        let writer = try RawWriter.server(file, items: saves, in: folder)
        let (listener, port) = try LoopbackSocket.listening()
        address = HTTPAddress(host: "127.0.0.1", port: port)
        sockets = Mutex([listener])
        Thread.detachNewThread { [self] in
            // Whoever waits for what does not come finds its connection shut.
            try? serve(listener, devices, writer)
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

    private func serve(_ listener: Int32, _ devices: Int, _ writer: RawWriter) throws {
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
            RawSender(stride(from: place, to: links.count, by: count).map { links[$0] }, push)
        }
        defer { for sender in senders { sender.stop() } }
        var number = 0
        while LoopbackSocket.receive(from: saver) {
            try writer.save(number..<number + 1)
            number += 1
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
