import AssetStore
import NIOCore
import Records

/// An upload that is being stored in a bucket. A small one is stored at once when it is complete; a larger
/// one in parts, with one part in memory at a time. The sender waits while a part is stored.
final class IncomingObject: IncomingAsset {
    /// The smallest part that object stores accept, in bytes.
    static let partBytes = 5 * 1024 * 1024
    /// The largest object that can be copied by one request, in bytes.
    private static let largest: Int64 = 5 * 1024 * 1024 * 1024

    private let uploadID: String
    private let storage: BucketStorage
    private var gathered = ByteBuffer()
    private var size: Int64 = 0
    private var upload: PartedUpload?
    private var tags: [String] = []
    /// The key of the complete upload, once it may exist.
    private var received: String?

    init(_ uploadID: String, in storage: BucketStorage) {
        self.uploadID = uploadID
        self.storage = storage
    }

    func write(_ buffer: ByteBuffer) async throws {
        size += Int64(buffer.readableBytes)
        if size > Self.largest { throw RecordError.assetTooLarge }
        var buffer = buffer
        while buffer.readableBytes > 0 {
            let count = min(buffer.readableBytes, Self.partBytes - gathered.readableBytes)
            if let piece = buffer.readSlice(length: count) { gathered.writeImmutableBuffer(piece) }
            if gathered.readableBytes == Self.partBytes { try await storePart() }
        }
    }

    /// Parts have no checksum in their name, because the checksum is known only at the end. So they are
    /// joined under another name, and copied within the bucket.
    func finish(as content: AssetChecksum) async throws -> VerifiedFiles.Attributes {
        let key = storage.layout.received(uploadID, content)
        received = key
        guard let upload else {
            let tag = try await storage.bucket.put(gathered, as: key)
            return VerifiedFiles.Attributes(objectOf: size, tag: tag)
        }
        if gathered.readableBytes > 0 { try await storePart() }
        let joined = try await storage.bucket.join(tags, of: upload)
        self.upload = nil
        let copy = try await storage.bucket.copy(upload.key, ifTagged: joined, to: key)
        await storage.remove(upload.key)
        guard let copy else { throw RecordError.damaged(content.text) }
        return VerifiedFiles.Attributes(objectOf: size, tag: copy)
    }

    func discard() async {
        if let upload { await storage.abort(upload) }
        if !tags.isEmpty { await storage.remove(storage.layout.partial(uploadID)) }
        // A request without an answer may have stored it.
        if let received { await storage.remove(received) }
    }

    private func storePart() async throws {
        if upload == nil {
            let key = storage.layout.partial(uploadID)
            let id = try await storage.bucket.beginParts(of: key)
            upload = PartedUpload(key: key, id: id, beganAt: storage.now())
        }
        guard let upload else { return }
        tags.append(try await storage.bucket.putPart(tags.count + 1, gathered, of: upload))
        gathered.clear(minimumCapacity: Self.partBytes)
    }
}
