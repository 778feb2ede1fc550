package import NIOCore

/// The place where an `AssetStore` keeps the bytes of one database: a folder, or a part of a bucket.
///
/// It has two kinds of files: received uploads, each with its ID and checksum, and contents, named by their
/// checksum. `AssetStore` calls it in the order that `ContentClaims` allows: within the process, no content
/// is adopted while it is deleted. A storage that several processes use at once must extend this to all of
/// them, in `adopt` and `beginCollection`.
package protocol AssetStorage: Sendable {
    /// The beginning of the IDs of all uploads that this process receives.
    var uploadPrefix: String { get }

    /// Whether other processes use the same files at the same time.
    var isShared: Bool { get }

    /// Whether an open file can be read to its end after its content was deleted.
    var keepsOpenFiles: Bool { get }

    /// Starts to store an upload.
    func begin(_ uploadID: String) async throws -> any IncomingAsset

    /// Makes an upload of existing content. Returns false if the content does not exist.
    func offer(_ content: AssetChecksum, as uploadID: String) async throws -> Bool

    /// Makes the content of an upload available, and protects it until `endAdoption`.
    ///
    /// If the content exists already, it stays, unless it has another size than the upload, or unless the
    /// upload is known to be intact and the content is not. If the upload was removed, it is enough that the
    /// content exists.
    ///
    /// - Parameter isKnown: Whether a file with these attributes is known to be intact.
    /// - Returns: The attributes of content that is now known to be intact, if they differ from the upload's.
    /// - Throws: `uploadExpired` if the upload is missing, `assetRejected` if its size differs. Then the
    ///   content is not protected.
    func adopt(
        _ upload: ReceivedUpload, _ content: AssetChecksum, isKnown: (VerifiedFiles.Attributes) -> Bool
    ) async throws -> VerifiedFiles.Attributes?

    /// Ends one `adopt`. It cannot fail: what remains is removed later.
    func endAdoption(of content: AssetChecksum) async

    /// Removes an upload. It cannot fail: what remains is removed later.
    func removeUpload(_ uploadID: String, _ content: AssetChecksum) async

    /// Opens content.
    ///
    /// - Throws: `notFound`.
    func open(_ content: AssetChecksum) async throws -> StoredAsset

    /// The size of content in bytes; nil if it does not exist.
    func size(of content: AssetChecksum) async throws -> Int64?

    /// The sizes in bytes of those contents that exist, by the texts of their checksums.
    func sizes(of contents: [AssetChecksum]) async throws -> [String: Int64]

    /// Prepares to delete content of a shared storage. Returns nil if another process adopts or deletes it
    /// now. Otherwise the caller asks whether a record owns the content, may call `delete`, and calls `end`.
    func beginCollection(of content: AssetChecksum) async throws -> AssetCollection?

    /// Deletes the content of a collection.
    func delete(_ collection: AssetCollection) async throws

    /// Ends a collection. It cannot fail: what remains is removed later.
    func end(_ collection: AssetCollection) async

    /// Removes the uploads of earlier processes, and content that was adopted from them but that no record
    /// owns. A shared storage keeps complete uploads, which other processes may adopt, until they are old.
    func recover(isUsed: (String) async throws -> Bool) async throws
}

/// The examination of content that may be deleted.
package struct AssetCollection: Sendable {
    package let content: AssetChecksum
    /// What a shared storage needs to tell this collection from others of the same content.
    package let lock: String

    package init(of content: AssetChecksum, lock: String = "") {
        self.content = content
        self.lock = lock
    }
}

/// An upload that is being stored. One task uses it, and ends with `finish` or `discard`.
package protocol IncomingAsset: AnyObject {
    /// Stores the next bytes. It returns when it can take more.
    func write(_ buffer: ByteBuffer) async throws

    /// Completes the upload under its checksum. The bytes are then durable, if the storage is.
    func finish(as content: AssetChecksum) async throws -> VerifiedFiles.Attributes

    /// Removes what was stored. It works in a cancelled task, too.
    func discard() async
}

/// Open content.
package struct StoredAsset: Sendable {
    let reader: any AssetReader
    let attributes: VerifiedFiles.Attributes

    package init(reader: any AssetReader, attributes: VerifiedFiles.Attributes) {
        self.reader = reader
        self.attributes = attributes
    }
}

/// Reads the bytes of open content.
package protocol AssetReader: Sendable {
    /// Reads `length` bytes at `offset`, or fewer at the end of the file.
    func read(_ length: Int64, at offset: Int64) async throws -> ByteBuffer
}

/// Calls an action when the last reference to it is released, which is after the last read.
final class WatchedReader: AssetReader {
    private let reader: any AssetReader
    private let onEnd: @Sendable () -> Void

    init(_ reader: any AssetReader, onEnd: @escaping @Sendable () -> Void) {
        self.reader = reader
        self.onEnd = onEnd
    }

    deinit { onEnd() }

    func read(_ length: Int64, at offset: Int64) async throws -> ByteBuffer {
        try await reader.read(length, at: offset)
    }
}
