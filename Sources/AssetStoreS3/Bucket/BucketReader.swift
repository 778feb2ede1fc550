import AssetStore
import NIOCore
import Records

/// Reads an object by ranges, one request for each chunk, so that a slow reader occupies neither a connection
/// nor memory. It reads one version: if the object is replaced meanwhile, reading fails.
struct BucketReader: AssetReader {
    let bucket: any ObjectBucket
    let object: ObjectAttributes

    func read(_ length: Int64, at offset: Int64) async throws -> ByteBuffer {
        let range = min(offset, object.size)..<min(offset + length, object.size)
        guard let bytes = try await bucket.get(object.key, in: range, ifTagged: object.tag) else {
            throw RecordError.missingFile
        }
        return bytes
    }
}
