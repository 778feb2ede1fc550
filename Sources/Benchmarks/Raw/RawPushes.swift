import Foundation
import Synchronization

/// The baseline of P5: a server that does only the necessary work. For each save it writes and flushes
/// the rows that Cloudlet wrote for it (the record and each person's notification). Then one thread per
/// processor sends the same bytes to every device.
final class RawPushes: Sendable {
    let address: HTTPAddress
    private let sockets: Mutex<[Int32]>
    private let ended = DispatchSemaphore(value: 0)
    /// The bytes of a push.
    private let push: [UInt8]

    private static let begun = Array("HTTP/1.1 200 OK\r\n\r\n".utf8)
    private static let saved = Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}".utf8)

    /// Listens on a free port. All devices must connect before the saving client.
    ///
    /// - Parameters:
    ///   - file: The database of a Cloudlet server that received this many saves and notified its
    ///     subscribers.
    ///   - folder: The folder for this server's database.
    ///   - pushBytes: The number of bytes that Cloudlet sent to each device for a save.
    init(rewriting file: URL, saves: Int, in folder: URL, devices: Int, pushBytes: Int) throws {
        let (start, end) = ("{\"qry\":", "}\r\n")
        let padding = String(repeating: " ", count: max(0, pushBytes - start.count - end.utf8.count))
        push = Array((start + padding + end).utf8)
        // Writing to a closed connection returns an error instead of ending the process.
        signal(SIGPIPE, SIG_IGN)
        let writer = try RawWriter.server(file, items: saves, in: folder)
        let (listener, port) = try LoopbackSocket.listening()
        address = HTTPAddress(host: "127.0.0.1", port: port)
        sockets = Mutex([listener])
        Thread.detachNewThread { [self] in
            // After an error, the closed connections end the clients' waiting.
            try? serve(listener, devices, writer)
            shutAll()
            ended.signal()
        }
    }

    /// Stops the server, even during a request.
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
        let senders = (0..<count).map { index in
            RawSender(stride(from: index, to: links.count, by: count).map { links[$0] }, push)
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

/// A thread that sends the same bytes to its devices at each call of `go`.
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
