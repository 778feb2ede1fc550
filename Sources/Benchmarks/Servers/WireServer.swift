import Hummingbird
import Logging

/// Takes a request's body as it comes and answers as many bytes as asked for, from memory.
enum WireServer {
    private static let pieceLength = 512 * 1024

    /// Serves until standard input ends.
    ///
    /// - Parameter ready: called with the port once it listens.
    static func run(ready: @escaping @Sendable (Int) -> Void) async throws {
        let piece = ByteBuffer(repeating: UInt8(ascii: "x"), count: pieceLength)
        let router = Router()
        router.on("/bytes/:count", method: .post) { request, context in
            for try await _ in request.body {}
            return try answer(context.parameters.require("count", as: Int.self), from: piece)
        }
        router.on("/bytes/:count", method: .get) { _, context in
            try answer(context.parameters.require("count", as: Int.self), from: piece)
        }
        let application = Application(
            router: router,
            configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in ready(channel.localAddress?.port ?? 0) },
            logger: Logger(label: "wire") { _ in SwiftLogNoOpLogHandler() }
        )
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await application.run() }
            group.addTask { await ChildProcess.standardInputEnded() }
            _ = try await group.next()
            group.cancelAll()
        }
    }

    private static func answer(_ count: Int, from piece: ByteBuffer) -> Response {
        if count <= piece.readableBytes {
            return Response(
                status: .ok,
                body: ResponseBody(byteBuffer: piece.getSlice(at: 0, length: count) ?? ByteBuffer())
            )
        }
        return Response(
            status: .ok,
            body: ResponseBody(contentLength: count) { writer in
                var rest = count
                while rest > 0 {
                    let length = min(rest, piece.readableBytes)
                    try await writer.write(piece.getSlice(at: 0, length: length) ?? ByteBuffer())
                    rest -= length
                }
                try await writer.finish(nil)
            })
    }
}
