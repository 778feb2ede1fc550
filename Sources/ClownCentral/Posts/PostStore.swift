import Cloudlet
import Foundation
import MirroredStore
import Records

/// A person's posts on this device, mirrored in that person's private database.
struct PostStore: Sendable {
    /// A post with the names of its tags and attachments, each sorted.
    struct Post: Hashable, Sendable {
        /// The name of the post's object.
        let id: String
        let title: String
        let content: String
        let tags: [String]
        let attachments: [String]
    }

    let posts: MirroredStore
    private let places: MirroredStore

    /// Opens the stores in a folder, and creates them if necessary.
    ///
    /// - Throws: `MirroredStoreError`.
    init(folder: URL, container: CKContainer, settings: MirroredStore.Settings) throws {
        posts = try MirroredStore(
            folder: folder.appendingPathComponent("posts"), layout: try PostLayout.mirrored(),
            container: container, settings: settings)
        places = try MirroredStore(
            folder: folder.appendingPathComponent("places"), layout: try PostLayout.local(), container: nil,
            settings: settings)
    }

    /// Stores a new post, and returns its name.
    ///
    /// - Throws: `MirroredStoreError`.
    func post(title: String, content: String) async throws -> String {
        try await posts.write { objects in
            var post = try objects.make("Post")
            try post.set("title", to: title)
            try post.set("content", to: content)
            try objects.save(post)
            return post.id.name
        }
    }

    /// Gives a post a tag. The tag is created if this device has none of that name.
    ///
    /// - Throws: `MirroredStoreError`.
    func tag(_ post: String, _ name: String) async throws {
        try await posts.write { objects in
            let known = try objects.reader.objects("Tag", where: "CD_name = ?", [.string(name)])
            let tag: MirroredObject
            if let first = known.first {
                tag = first
            } else {
                var new = try objects.make("Tag")
                try new.set("name", to: name)
                try objects.save(new)
                tag = new
            }
            try objects.link(Self.id(post), "tags", tag.id)
        }
    }

    /// Attaches data to a post.
    ///
    /// - Throws: `MirroredStoreError`.
    func attach(_ data: Data, named name: String, to post: String) async throws {
        try await posts.write { objects in
            var attachment = try objects.make("Attachment")
            try attachment.set("name", to: name)
            try attachment.set("data", to: data)
            try attachment.relate("post", to: Self.id(post))
            try objects.save(attachment)
        }
    }

    /// Stores where a post was written, on this device only.
    ///
    /// - Throws: `MirroredStoreError`.
    func place(_ post: String, at place: Coordinate) async throws {
        try await places.write { objects in
            let known = try objects.reader.objects("Place", where: "CD_post = ?", [.string(post)])
            var object = try known.first ?? objects.make("Place")
            try object.set("post", to: post)
            try object.set("latitude", to: place.latitude)
            try object.set("longitude", to: place.longitude)
            try objects.save(object)
        }
    }

    /// Where a post was written; nil if this device does not know.
    ///
    /// - Throws: `MirroredStoreError`.
    func place(of post: String) async throws -> Coordinate? {
        try await places.read { objects in
            guard let place = try objects.objects("Place", where: "CD_post = ?", [.string(post)]).first,
                let latitude = place.get("latitude", as: Double.self),
                let longitude = place.get("longitude", as: Double.self)
            else { return nil }
            return Coordinate(latitude: latitude, longitude: longitude)
        }
    }

    /// All posts, by title.
    ///
    /// - Throws: `MirroredStoreError`.
    func all() async throws -> [Post] {
        try await posts.read { objects in
            try objects.objects("Post", order: "CD_title, id").map { post in
                let tags = try objects.related(post.id, "tags").compactMap { $0.get("name", as: String.self) }
                let attachments = try objects.related(post.id, "attachments").compactMap {
                    $0.get("name", as: String.self)
                }
                return Post(
                    id: post.id.name, title: post.get("title") ?? "", content: post.get("content") ?? "",
                    tags: tags.sorted(), attachments: attachments.sorted())
            }
        }
    }

    private static func id(_ post: String) -> MirroredObject.ID {
        MirroredObject.ID(root: "Post", name: post)
    }
}
