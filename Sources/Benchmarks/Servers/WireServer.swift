import Foundation
import Hummingbird
import Logging

/// The baseline server. It uses Cloudlet's HTTP server library only: it returns a requested number of bytes
/// from memory, and stores files.
enum WireServer {
    private static let pieceLength = 512 * 1024

    /// Serves until standard input ends.
    ///
    /// - Parameters:
    ///   - folder: The folder for files.
    ///   - ready: Called with the port when the server listens.
    static func run(folder: URL, ready: @escaping @Sendable (Int) -> Void) async throws {
        let piece = ByteBuffer(repeating: UInt8(ascii: "x"), count: pieceLength)
        let router = Router()
        router.on("/bytes/:count", method: .post) { request, context in
            for try await _ in request.body {}
            return try answer(context.parameters.require("count", as: Int.self), from: piece)
        }
        let files = WireFiles(folder: folder)
        router.on("/files/:name", method: .post) { request, context in
            try await files.receive(request, name: context.parameters.require("name"))
        }
        router.on("/files/:name", method: .get) { _, context in
            try await files.send(name: context.parameters.require("name"))
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

    private static func answer(_ count: Int, from piece: ByteBuffer) throws -> Response {
        guard let bytes = piece.getSlice(at: 0, length: count) else { throw HTTPError(.badRequest) }
        return Response(status: .ok, body: ResponseBody(byteBuffer: bytes))
    }
}
