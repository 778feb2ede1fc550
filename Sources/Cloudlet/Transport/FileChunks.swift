import Foundation
internal import NIOCore
internal import RecordsWire

/// The content of a file in chunks of constant size.
struct FileChunks: AsyncSequence, Sendable {
    typealias Element = ByteBuffer

    /// Bytes a chunk.
    static let chunkSize = 256 * 1024

    let path: String
    /// Bytes in all, when the sending began.
    let size: Int64
    let onProgress: (@Sendable (_ done: Int64, _ total: Int64?) -> Void)?
    private let outcome = Locked<CloudTransportError?>(nil)

    init(path: String, onProgress: (@Sendable (_ done: Int64, _ total: Int64?) -> Void)?) throws {
        guard let handle = FileHandle(forReadingAtPath: path) else {
            throw CloudTransportError.file(path: path, reason: "it cannot be opened")
        }
        defer { try? handle.close() }
        self.path = path
        size = Int64(try handle.seekToEnd())
        self.onProgress = onProgress
    }

    /// Why reading ended early, if it did.
    var failure: CloudTransportError? { outcome.current }

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(chunks: self, handle: FileHandle(forReadingAtPath: path))
    }

    struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let chunks: FileChunks
        fileprivate let handle: FileHandle?
        private var done: Int64 = 0

        fileprivate init(chunks: FileChunks, handle: FileHandle?) {
            self.chunks = chunks
            self.handle = handle
        }

        mutating func next() async throws -> ByteBuffer? {
            do {
                guard let handle else { throw CocoaError(.fileReadNoPermission) }
                guard let data = try handle.read(upToCount: FileChunks.chunkSize), !data.isEmpty else {
                    try handle.close()
                    return nil
                }
                done += Int64(data.count)
                chunks.onProgress?(done, chunks.size)
                return ByteBuffer(bytes: data)
            } catch {
                let failure = CloudTransportError.file(path: chunks.path, reason: "it cannot be read")
                chunks.outcome.withLock { $0 = failure }
                throw failure
            }
        }
    }
}

/// A file that is being downloaded: it takes its name only when it is whole.
final class DownloadedFile {
    private let path: String
    private let handle: FileHandle
    /// Bytes so far.
    private(set) var size: Int64

    private var partial: String { Self.partial(path) }

    private static func partial(_ path: String) -> String { path + ".part" }

    /// Bytes that an earlier attempt left.
    static func left(of path: String) -> Int64 { (try? FileStamp(path: partial(path)).size) ?? 0 }

    /// Removes what an earlier attempt left.
    static func forget(_ path: String) { try? FileManager.default.removeItem(atPath: partial(path)) }

    /// - Parameter start: Bytes of an earlier attempt to go on after.
    init(path: String, after start: Int64 = 0) throws {
        self.path = path
        size = start
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let part = Self.partial(path)
            guard start > 0 || FileManager.default.createFile(atPath: part, contents: nil) else {
                throw CocoaError(.fileWriteNoPermission)
            }
            handle = try FileHandle(forWritingTo: URL(fileURLWithPath: part))
            try handle.truncate(atOffset: UInt64(start))
            try handle.seekToEnd()
        } catch {
            throw CloudTransportError.file(path: path, reason: "it cannot be made")
        }
    }

    func append(_ chunk: ByteBuffer) throws {
        do {
            try handle.write(contentsOf: Data(chunk.readableBytesView))
        } catch {
            throw CloudTransportError.file(path: path, reason: "it cannot be written")
        }
        size += Int64(chunk.readableBytes)
    }

    /// Gives the file its name; a file that had it is replaced.
    func keep() throws {
        try handle.close()
        guard rename(partial, path) == 0 else {
            throw CloudTransportError.file(path: path, reason: "it cannot be named")
        }
    }

    /// Ends an attempt that failed.
    func close(keepingPart: Bool) {
        try? handle.close()
        if !keepingPart { Self.forget(path) }
    }
}
