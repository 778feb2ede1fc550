import MirroredStore

/// The entities of posts.
enum PostLayout {
    /// The store that is mirrored in the author's private database.
    static func mirrored() throws -> StoreLayout {
        try StoreLayout([
            .init(
                "Post",
                attributes: [
                    .init("title", .string, isOptional: false, defaultValue: ""),
                    .init("content", .string),
                ],
                relationships: [
                    .init("tags", to: "Tag", inverse: "posts", isToMany: true),
                    .init(
                        "attachments", to: "Attachment", inverse: "post", isToMany: true,
                        deleteRule: .cascade),
                ]),
            .init(
                "Tag", attributes: [.init("name", .string, isOptional: false, defaultValue: "")],
                relationships: [.init("posts", to: "Post", inverse: "tags", isToMany: true)]),
            .init(
                "Attachment",
                attributes: [
                    .init("name", .string, isOptional: false, defaultValue: ""),
                    .init("data", .binaryData),
                ],
                relationships: [.init("post", to: "Post", inverse: "attachments")]),
        ])
    }

    /// The store that stays on this device: where a post was written.
    static func local() throws -> StoreLayout {
        try StoreLayout([
            .init(
                "Place",
                attributes: [
                    .init("post", .string, isOptional: false), .init("latitude", .double, isOptional: false),
                    .init("longitude", .double, isOptional: false),
                ])
        ])
    }
}
