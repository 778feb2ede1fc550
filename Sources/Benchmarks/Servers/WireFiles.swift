import Crypto
import Foundation
import Hummingbird
import NIOPosix

/// The baseline of P9: it hashes, writes and flushes uploaded files and reads downloads from disk.
struct WireFiles: Sendable {
    let folder: URL
    private let threads = NIOThreadPool.singleton
    private static let pieceLength = 512 * 1024

    /// Writes a request's body to a file. The response is as long as Cloudlet's receipt.
    func receive(_ request: Request, name: String) async throws -> Response {
        let file = try await threads.runIfActive {
            let path = folder.appendingPathComponent(name).path
            guard FileManager.default.createFile(atPath: path, contents: nil),
                let file = FileHandle(forWritingAtPath: path)
            else { throw HTTPError(.internalServerError) }
            return OpenFile(handle: file)
        }
        var hash = SHA256()
        for try await piece in request.body {
            piece.withUnsafeReadableBytes { hash.update(bufferPointer: $0) }
            let data = Data(piece.readableBytesView)
            try await threads.runIfActive { try file.handle.write(contentsOf: data) }
        }
        try await threads.runIfActive {
            try file.handle.synchronize()
            try file.handle.close()
        }
        let checksum = hash.finalize().map { String($0, radix: 16) }.joined()
        let answer = checksum.padding(toLength: 200, withPad: " ", startingAt: 0)
        return Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(string: answer)))
    }

    /// Sends a file piece by piece.
    func send(name: String) async throws -> Response {
        let (file, size) = try await threads.runIfActive {
            let path = folder.appendingPathComponent(name).path
            guard let file = FileHandle(forReadingAtPath: path) else { throw HTTPError(.notFound) }
            let size = try file.seekToEnd()
            try file.seek(toOffset: 0)
            return (OpenFile(handle: file), Int(size))
        }
        let threads = threads
        return Response(
            status: .ok,
            body: ResponseBody(contentLength: size) { writer in
                while let piece = try await threads.runIfActive({
                    try file.handle.read(upToCount: Self.pieceLength)
                }), !piece.isEmpty {
                    try await writer.write(ByteBuffer(bytes: piece))
                }
                try await threads.runIfActive { try file.handle.close() }
                try await writer.finish(nil)
            })
    }
}

// `FileHandle` is not declared Sendable everywhere; one request uses it, one call after the other.
private struct OpenFile: @unchecked Sendable {
    let handle: FileHandle
}
