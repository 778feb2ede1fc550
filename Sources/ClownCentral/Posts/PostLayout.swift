import MirroredStore
import Records

/// The entities of posts, drafts and positions: one layout for each store.
enum PostLayout {
    /// The store that is mirrored in the author's private database.
    static func mirrored() throws -> StoreLayout {
        try StoreLayout([
            .init(
                "Post",
                attributes: [
                    .init("title", .string, isOptional: false, defaultValue: ""),
                    .init("content", .string),
                    .init("written", .date), .init("metres", .double),
                    .init("latitude", .double), .init("longitude", .double),
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
                    .init("name", .string, isOptional: false, defaultValue: ""), .init("size", .integer64),
                ],
                relationships: [
                    .init("post", to: "Post", inverse: "attachments"),
                    .init("content", to: "FileContent", inverse: "attachment", deleteRule: .cascade),
                ]),
            // The content is a separate object, so that a list of attachments does not read their files.
            .init(
                "FileContent", attributes: [.init("data", .binaryData)],
                relationships: [.init("attachment", to: "Attachment", inverse: "content")]),
        ])
    }

    /// The store of drafts, which stays on this device. Unlike a post, a draft must have a content.
    static func drafts() throws -> StoreLayout {
        try StoreLayout([
            .init(
                "Draft",
                attributes: [
                    .init("title", .string, isOptional: false), .init("content", .string, isOptional: false),
                    .init("written", .date, isOptional: false),
                ])
        ])
    }

    /// The store of measured positions, which stays on this device.
    static func places() throws -> StoreLayout {
        try StoreLayout([
            .init(
                "Place",
                attributes: [
                    .init("post", .string, isOptional: false), .init("number", .integer64, isOptional: false),
                    .init("latitude", .double, isOptional: false),
                    .init("longitude", .double, isOptional: false),
                ])
        ])
    }
}
