import Cloudlet
import Foundation
import MirroredStore
import Records

/// A person's posts on this device, mirrored in that person's private database.
struct PostStore: Sendable {
    /// The order of a list.
    enum Order: String, CaseIterable, Sendable {
        case title, newest

        fileprivate var sql: String {
            switch self {
            case .title: "CD_title COLLATE NOCASE, CD_title, id"
            case .newest: "CD_written DESC, id"
            }
        }
    }

    let store: MirroredStore

    /// Opens the store in a folder, and creates it if necessary.
    ///
    /// - Throws: `MirroredStoreError`.
    init(folder: URL, container: CKContainer, settings: MirroredStore.Settings) throws {
        store = try MirroredStore(
            folder: folder, layout: try PostLayout.mirrored(), container: container, settings: settings)
    }

    // MARK: Posts

    /// All posts, or those with a tag.
    func posts(tag: String? = nil, by order: Order = .title) async throws -> [Post] {
        try await store.read { objects in
            let wanted = try tag.map { Set(try objects.posts(tagged: $0)) }
            return try objects.objects("Post", order: order.sql)
                .filter { wanted?.contains($0.id) ?? true }.map(objects.post)
        }
    }

    /// The problems of the records that are not valid posts, tags or attachments, one text for each.
    func unreadable() async throws -> [String] {
        try await store.importFailures().map { "\($0.culprit): \($0.reason)" }
    }

    /// Stores a new post. If a post with the given key exists, it is changed instead.
    func add(
        _ title: String, _ content: String, written: Date, tags: [String] = [], key: String? = nil
    ) async throws -> Post {
        try PostRules.check(title: title, content: content)
        return try await store.write { objects in
            var post = try key.map { try objects.make("Post", key: $0) } ?? objects.make("Post")
            try post.set("title", to: title)
            try post.set("content", to: content)
            try post.set("written", to: written)
            try objects.save(post)
            for name in tags { try objects.tag(post.id, name) }
            return try objects.reader.post(post)
        }
    }

    /// Changes the title or the content of a post.
    func change(_ post: Post.ID, title: String? = nil, content: String? = nil) async throws -> Post {
        // A part that does not change is not checked: the placeholders are valid.
        try PostRules.check(title: title ?? "-", content: content ?? "")
        return try await store.write { objects in
            var object = try objects.reader.existing(.post(post))
            if let title { try object.set("title", to: title) }
            if let content { try object.set("content", to: content) }
            try objects.save(object)
            return try objects.reader.post(object)
        }
    }

    /// The post with this name. Throws `PostError` if there is none.
    func post(_ id: Post.ID) async throws -> Post {
        try await store.read { try $0.post($0.existing(.post(id))) }
    }

    /// Stores the walk on which a post was written.
    func set(_ walk: Walk, of post: Post.ID) async throws -> Post {
        try await store.write { objects in
            var object = try objects.reader.existing(.post(post))
            try object.set("latitude", to: walk.centre.latitude)
            try object.set("longitude", to: walk.centre.longitude)
            try object.set("metres", to: walk.metres)
            try objects.save(object)
            return try objects.reader.post(object)
        }
    }

    /// A deleted post with everything that was deleted with it.
    struct Deleted: Sendable {
        fileprivate let objects: [MirroredObject]
        fileprivate let tags: [String]

        /// The number of deleted objects.
        var count: Int { objects.count }
    }

    /// Deletes a post with its attachments, but not its tags.
    func delete(_ post: Post.ID) async throws -> Deleted {
        try await store.write { objects in
            let object = try objects.reader.existing(.post(post))
            let attachments = try objects.reader.related(object.id, "attachments")
            let contents = try attachments.flatMap { try objects.reader.related($0.id, "content") }
            let tags = try objects.reader.post(object).tags
            try objects.delete(object.id)
            // An attachment is restored before its content, so it must not refer to the content. The content
            // refers to the attachment, which restores the relationship of both.
            let withoutContent = try attachments.map { attachment in
                var attachment = attachment
                try attachment.relate("content", to: nil)
                return attachment
            }
            return Deleted(objects: [object] + withoutContent + contents, tags: tags)
        }
    }

    /// Restores a deleted post. A file that had not arrived on this device is fetched later, unless another
    /// device has already received the deletion.
    func restore(_ deleted: Deleted) async throws {
        try await store.write { objects in
            for object in deleted.objects { try objects.restore(object) }
            guard let post = deleted.objects.first else { return }
            for name in deleted.tags { try objects.tag(post.id, name) }
        }
    }

    // MARK: Tags

    /// All tags, sorted by name.
    func tags() async throws -> [Tag] {
        try await store.read { objects in
            let all = Dictionary(grouping: try objects.objects("Tag")) { Tag.key($0.get("name") ?? "") }
            return try all.sorted { $0.key < $1.key }.map { key, tags in
                Tag(
                    name: tags.first?.get("name") ?? key,
                    postCount: Set(try tags.flatMap { try objects.related($0.id, "posts").map(\.id) }).count)
            }
        }
    }

    /// Adds tags to a post. Creates each tag that this device does not have. If another device creates the
    /// same tag, both become one object.
    func tag(_ post: Post.ID, _ names: [String]) async throws -> Post {
        try await store.write { objects in
            let object = try objects.reader.existing(.post(post))
            for name in names { try objects.tag(object.id, name) }
            return try objects.reader.post(object)
        }
    }

    /// Removes a tag from a post.
    func untag(_ post: Post.ID, _ name: String) async throws -> Post {
        try await store.write { objects in
            let object = try objects.reader.existing(.post(post))
            for tag in try objects.reader.tags(named: name) { try objects.unlink(object.id, "tags", tag.id) }
            return try objects.reader.post(object)
        }
    }

    /// Deletes a tag, but not the posts that had it.
    func deleteTag(_ name: String) async throws {
        try await store.write { objects in
            for tag in try objects.reader.tags(named: name) { try objects.delete(tag.id) }
        }
    }

    // MARK: Attachments

    /// Attaches data to a post.
    func attach(_ data: Data, named name: String, to post: Post.ID) async throws -> Post {
        try PostRules.check(file: name, byteCount: data.count)
        return try await store.write { objects in
            let object = try objects.reader.existing(.post(post))
            guard try objects.reader.related(object.id, "attachments").count < PostRules.maximumAttachments
            else {
                throw PostError.tooMany("attachments", limit: PostRules.maximumAttachments)
            }
            var attachment = try objects.make("Attachment")
            try attachment.set("name", to: name)
            try attachment.set("size", to: data.count)
            try attachment.relate("post", to: object.id)
            try objects.save(attachment)
            var content = try objects.make("FileContent")
            try content.set("data", to: data)
            try content.relate("attachment", to: attachment.id)
            try objects.save(content)
            return try objects.reader.post(object)
        }
    }

    /// The data of an attachment; nil if its file has not arrived on this device.
    func data(of attachment: Attachment.ID) async throws -> Data? {
        try await store.read { try $0.related(.attachment(attachment), "content").first?.get("data") }
    }

    /// Deletes an attachment.
    func delete(attachment: Attachment.ID) async throws {
        try await store.write { objects in
            try objects.delete(try objects.reader.existing(.attachment(attachment)).id)
        }
    }
}

extension MirroredObject.ID {
    fileprivate static func post(_ id: Post.ID) -> Self { Self(root: "Post", name: id) }
    fileprivate static func attachment(_ id: Attachment.ID) -> Self { Self(root: "Attachment", name: id) }
}

extension ObjectReader {
    /// The object with this ID. Throws `PostError` if there is none.
    func existing(_ id: MirroredObject.ID) throws -> MirroredObject {
        guard let object = try object(id) else {
            throw PostError.missing(kind: id.root.lowercased(), id: id.name)
        }
        return object
    }

    /// The tags with this name. Another program may have created several.
    fileprivate func tags(named name: String) throws -> [MirroredObject] {
        let key = Tag.key(name)
        return try objects("Tag").filter { Tag.key($0.get("name") ?? "") == key }
    }

    /// The posts that have a tag.
    fileprivate func posts(tagged name: String) throws -> [MirroredObject.ID] {
        try tags(named: name).flatMap { try related($0.id, "posts").map(\.id) }
    }

    /// The model of a post's object.
    fileprivate func post(_ object: MirroredObject) throws -> Post {
        let tags = try related(object.id, "tags").compactMap { $0.get("name", as: String.self) }
        let attachments = try related(object.id, "attachments").map { file in
            Attachment(id: file.id.name, name: file.get("name") ?? "", byteCount: file.get("size") ?? 0)
        }
        var walk: Walk?
        if let latitude: Double = object.get("latitude"), let longitude: Double = object.get("longitude") {
            let centre = Coordinate(latitude: latitude, longitude: longitude)
            walk = Walk(centre: centre, metres: object.get("metres") ?? 0)
        }
        return Post(
            id: object.id.name, title: object.get("title") ?? "", content: object.get("content") ?? "",
            written: object.get("written") ?? .distantPast,
            tags: Dictionary(tags.map { (Tag.key($0), $0) }, uniquingKeysWith: min).values.sorted(),
            attachments: attachments.sorted { ($0.name, $0.id) < ($1.name, $1.id) }, walk: walk)
    }
}

extension ObjectWriter {
    /// Adds a tag to a post. The name of the tag's object follows from the tag's name, so that devices that
    /// are offline do not create two tags of one name.
    fileprivate func tag(_ post: MirroredObject.ID, _ name: String) throws {
        try PostRules.check(tag: name)
        let known = try reader.tags(named: name).first { try reader.haveSameShare($0.id, post) }
        var tag = try known ?? make("Tag", key: Tag.key(name), beside: post)
        if known == nil {
            try tag.set("name", to: name)
            try save(tag)
        }
        let given = try reader.related(post, "tags").map(\.id)
        if given.count >= PostRules.maximumTags, !given.contains(tag.id) {
            throw PostError.tooMany("tags", limit: PostRules.maximumTags)
        }
        try link(post, "tags", tag.id)
    }
}
