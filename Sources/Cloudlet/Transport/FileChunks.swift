import Foundation
internal import NIOCore
internal import RecordsWire

/// The bytes of a file in chunks of constant size, as a request body.
struct FileChunks: AsyncSequence, Sendable {
    typealias Element = ByteBuffer

    /// Bytes per chunk.
    static let chunkSize = 256 * 1024

    let path: String
    /// The file's size in bytes when the upload began.
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

    /// The error that ended reading early, if there was one.
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

/// A file that is being downloaded. It is written to `path` with the suffix `.part` and renamed when
/// complete.
final class DownloadedFile {
    private let path: String
    private let handle: FileHandle
    /// Bytes written so far, including those of an earlier attempt.
    private(set) var size: Int64

    private var partial: String { Self.partial(path) }

    private static func partial(_ path: String) -> String { path + ".part" }

    /// The number of bytes in the part file of an earlier attempt.
    static func left(of path: String) -> Int64 { (try? FileStamp(path: partial(path)).size) ?? 0 }

    /// Deletes the part file of an earlier attempt.
    static func forget(_ path: String) { try? FileManager.default.removeItem(atPath: partial(path)) }

    /// - Parameter start: The number of bytes of an earlier attempt to keep; new bytes follow them.
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
            throw CloudTransportError.file(path: path, reason: "it cannot be created")
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

    /// Renames the part file to its final path, replacing any file there.
    func keep() throws {
        try handle.close()
        guard rename(partial, path) == 0 else {
            throw CloudTransportError.file(path: path, reason: "it cannot be renamed")
        }
    }

    /// Closes the file after a failed attempt.
    func close(keepingPart: Bool) {
        try? handle.close()
        if !keepingPart { Self.forget(path) }
    }
}
