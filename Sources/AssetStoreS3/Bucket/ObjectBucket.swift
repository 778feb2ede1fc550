package import Foundation
package import NIOCore

/// A bucket of an object store, or the part of it below a prefix. All keys are relative to the prefix.
///
/// It must be strongly consistent: a request that begins after another one has ended sees its effect, in
/// lists, too. Amazon S3, MinIO, Ceph, Cloudflare R2, Garage (with its default consistency) and SeaweedFS
/// are.
///
/// All methods throw `RecordError`: `tryAgainLater` if the object store does not answer, otherwise
/// `internalError`, with the reason in the diagnosis.
package protocol ObjectBucket: Sendable {
    /// The attributes of an object; nil if it does not exist.
    func attributes(of key: String) async throws -> ObjectAttributes?

    /// Stores an object, replacing an existing one. Returns its tag.
    @discardableResult
    func put(_ bytes: ByteBuffer, as key: String) async throws -> String

    /// Stores an object unless one exists. A store without this condition replaces it.
    func putIfMissing(_ bytes: ByteBuffer, as key: String) async throws

    /// Reads a range of an object; nil if it does not exist, or if its tag is not `tag`.
    func get(_ key: String, in range: Range<Int64>, ifTagged tag: String?) async throws -> ByteBuffer?

    /// Copies an object within the bucket. Returns the tag of the copy; nil if the source does not exist, or
    /// if its tag is not `tag`.
    func copy(_ key: String, ifTagged tag: String, to target: String) async throws -> String?

    /// Deletes an object. A missing object is not an error.
    func delete(_ key: String) async throws

    /// Deletes an object under a lock: does not begin to ask for it after `deadline`.
    func delete(_ key: String, before deadline: Date) async -> ObjectDeletion

    /// The objects whose keys begin with `prefix`, in order, after the position of an earlier page.
    func list(_ prefix: String, after position: String?) async throws -> ObjectPage

    /// Begins an upload in parts. Returns its ID.
    func beginParts(of key: String) async throws -> String

    /// Stores a part, numbered from 1. All parts but the last one have at least 5 MiB. Returns its tag.
    func putPart(_ number: Int, _ bytes: ByteBuffer, of upload: PartedUpload) async throws -> String

    /// Joins the parts to an object. Returns its tag.
    func join(_ tags: [String], of upload: PartedUpload) async throws -> String

    /// Removes the parts of an upload. A missing upload is not an error.
    func abort(_ upload: PartedUpload) async throws

    /// The uploads in parts that have begun but not ended, whose keys begin with `prefix`. At most 10,000.
    func partedUploads(_ prefix: String) async throws -> [PartedUpload]
}

/// An object in a list.
package struct ObjectAttributes: Hashable, Sendable {
    package var key: String
    /// The size in bytes.
    package var size: Int64
    /// Identifies the version of the object: another content has another tag.
    package var tag: String
    package var changedAt: Date

    package init(key: String, size: Int64, tag: String, changedAt: Date) {
        self.key = key
        self.size = size
        self.tag = tag
        self.changedAt = changedAt
    }
}

/// What became of the deletion of an object under a lock.
package struct ObjectDeletion: Sendable {
    /// The reason why the object may still exist; nil if it does not.
    package var failure: (any Error)?
    /// Whether a request was given up without an answer, so that it may still be carried out later.
    package var mayFollow = false

    package init(failure: (any Error)? = nil, mayFollow: Bool = false) {
        self.failure = failure
        self.mayFollow = mayFollow
    }
}

/// A part of a list of objects.
package struct ObjectPage: Sendable {
    package var objects: [ObjectAttributes]
    /// The position of the next page; nil: this is the last one.
    package var next: String?

    package init(objects: [ObjectAttributes], next: String? = nil) {
        self.objects = objects
        self.next = next
    }
}

/// An upload in parts.
package struct PartedUpload: Hashable, Sendable {
    package var key: String
    package var id: String
    package var beganAt: Date

    package init(key: String, id: String, beganAt: Date) {
        self.key = key
        self.id = id
        self.beganAt = beganAt
    }
}

extension ObjectBucket {
    /// Calls an action with each object whose key begins with `prefix`.
    func forEach(_ prefix: String, _ action: (ObjectAttributes) async throws -> Void) async throws {
        var position: String?
        repeat {
            let page = try await list(prefix, after: position)
            for object in page.objects { try await action(object) }
            position = page.next
        } while position != nil
    }

    /// Deletes all objects whose keys begin with `prefix`.
    func deleteAll(_ prefix: String) async throws {
        var position: String?
        repeat {
            let page = try await list(prefix, after: position)
            try await delete(page.objects.map(\.key))
            position = page.next
        } while position != nil
        for upload in try await partedUploads(prefix) { try await abort(upload) }
    }

    private func delete(_ keys: [String]) async throws {
        var rest = keys[...]
        while !rest.isEmpty {
            let now = rest.prefix(16)
            rest = rest.dropFirst(now.count)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for key in now { group.addTask { try await delete(key) } }
                try await group.waitForAll()
            }
        }
    }
}
