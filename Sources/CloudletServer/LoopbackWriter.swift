import HTTPTypes
import Hummingbird
import NIOCore
import RecordsWire
import Synchronization

/// Passes on the chunks of a body.
struct LoopbackWriter: ResponseBodyWriter {
    let take: @Sendable (ByteBuffer) async throws -> Void

    init(_ take: @escaping @Sendable (ByteBuffer) async throws -> Void) {
        self.take = take
    }

    mutating func write(_ buffer: ByteBuffer) async throws {
        try await take(buffer)
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
}

/// Collects a body in memory.
final class LoopbackSink: Sendable {
    private let collected = Mutex<[UInt8]>([])

    var bytes: [UInt8] { collected.withLock { $0 } }

    func append(_ buffer: ByteBuffer) {
        collected.withLock { $0.append(contentsOf: buffer.readableBytesView) }
    }
}

/// Counts the bytes of a download and reports them to `CloudRequest.onProgress`.
final class LoopbackProgress: Sendable {
    private let done = Mutex<Int64>(0)
    private let total: Int64?
    private let tell: (@Sendable (Int64, Int64?) -> Void)?

    init(request: CloudRequest, total: Int?) {
        self.total = total.map(Int64.init)
        tell = request.onProgress
    }

    /// Counts a chunk. Returns the offset at which it begins.
    func advance(by count: Int) -> Int64 {
        let now = done.withLock { done in
            done += Int64(count)
            return done
        }
        tell?(now, total)
        return now - Int64(count)
    }
}
