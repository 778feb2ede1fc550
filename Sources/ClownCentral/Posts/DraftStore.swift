import Foundation
import MirroredStore
import Records

/// A person's drafts, in a store of their own that stays on this device. Its rules are stricter than those of
/// posts, so every stored draft can be published.
struct DraftStore: Sendable {
    let store: MirroredStore

    /// Opens the store in a folder, and creates it if necessary.
    ///
    /// - Throws: `MirroredStoreError`.
    init(folder: URL, settings: MirroredStore.Settings) throws {
        store = try MirroredStore(
            folder: folder, layout: try PostLayout.drafts(), container: nil, settings: settings)
    }

    /// All drafts, sorted by title.
    func drafts() async throws -> [Draft] {
        try await store.read { objects in
            try objects.objects("Draft", order: "CD_title COLLATE NOCASE, id").map(Self.draft)
        }
    }

    /// Stores a new draft.
    func add(_ title: String, _ content: String, written: Date) async throws -> Draft {
        try PostRules.checkDraft(title: title, content: content)
        return try await store.write { objects in
            var draft = try objects.make("Draft")
            try draft.set("title", to: title)
            try draft.set("content", to: content)
            try draft.set("written", to: written)
            try objects.save(draft)
            return Self.draft(draft)
        }
    }

    /// Changes the title or the content of a draft.
    func change(_ draft: Draft.ID, title: String? = nil, content: String? = nil) async throws -> Draft {
        try await store.write { objects in
            var object = try objects.reader.existing(Self.id(draft))
            let old = Self.draft(object)
            try PostRules.checkDraft(title: title ?? old.title, content: content ?? old.content)
            try object.set("title", to: title ?? old.title)
            try object.set("content", to: content ?? old.content)
            try objects.save(object)
            return Self.draft(object)
        }
    }

    /// Deletes a draft.
    func delete(_ draft: Draft.ID) async throws {
        try await store.write { objects in
            try objects.delete(try objects.reader.existing(Self.id(draft)).id)
        }
    }

    private static func id(_ draft: Draft.ID) -> MirroredObject.ID {
        MirroredObject.ID(root: "Draft", name: draft)
    }

    private static func draft(_ object: MirroredObject) -> Draft {
        Draft(
            id: object.id.name, title: object.get("title") ?? "", content: object.get("content") ?? "",
            written: object.get("written") ?? .distantPast)
    }
}
