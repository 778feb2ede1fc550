import CommandShell
import Foundation

extension AppSession {
    /// The post that a word names: by ID, or by the beginning of its title.
    func post(_ word: Word) async throws -> Post {
        let all = try await personalData().posts.posts.posts()
        return try word.pick("post", from: all, remedy: "post list", id: \.id, name: \.title)
    }

    /// The draft that a word names, found in the same way.
    func draft(_ word: Word) async throws -> Draft {
        let all = try await personalData().posts.drafts.drafts()
        return try word.pick("draft", from: all, remedy: "draft list", id: \.id, name: \.title)
    }

    /// The tag that a word names.
    func tag(_ word: Word) async throws -> Tag {
        let all = try await personalData().posts.posts.tags()
        return try word.pick("tag", from: all, remedy: "tag list", id: { Tag.key($0.name) }, name: \.name)
    }

    /// The attachment of a post that a word names: by ID, or by the beginning of its name.
    nonisolated func attachment(_ word: Word, of post: Post) throws -> Attachment {
        try word.pick(
            "attachment", from: post.attachments,
            remedy: "attach list \(Quoting.name(post.title) ?? "POST")",
            id: \.id, name: \.name)
    }

    /// The content of a regular file. Throws a `ShellError` that names the file if it is missing, no regular
    /// file, or longer than `limit` bytes.
    nonisolated func fileContent(_ word: Word, limit: Int) throws -> [UInt8] {
        func refusal(_ reason: String, _ remedy: String) -> ShellError {
            ShellError(
                code: "badFile", message: "\(word.text) \(reason)", span: word.range, remedy: remedy)
        }
        let file = environment.file(word).resolvingSymlinksInPath()
        guard let facts = try? FileManager.default.attributesOfItem(atPath: file.path) else {
            throw refusal("does not exist, or cannot be read", "name a file; Tab completes file names")
        }
        guard facts[.type] as? FileAttributeType == .typeRegular else {
            throw refusal("is not a regular file", "name a file")
        }
        guard facts[.size] as? Int ?? 0 <= limit else {
            throw refusal("is longer than \(limit) bytes", "name a smaller file")
        }
        guard let data = try? Data(contentsOf: file), data.count <= limit else {
            throw refusal("cannot be read", "check its permissions")
        }
        return [UInt8](data)
    }

    /// Writes data to a file of the user, after a confirmation if the file exists.
    nonisolated func save(_ data: Data, to file: Word) throws -> Answer {
        let target = environment.file(file)
        guard try environment.mayWrite(target, shownAs: file.text) else {
            return Answer.message("nothing was written")
        }
        do {
            try data.writeForUser(to: target)
        } catch {
            throw Self.unwritable(file, error)
        }
        return Answer.message("saved to \(file.text)", facts: [AnswerField("file", .text(file.text))])
    }

    /// The error when a file of the user cannot be written.
    nonisolated static func unwritable(_ file: Word, _ error: any Error) -> ShellError {
        let reason =
            switch (error as? CocoaError)?.code {
            case .fileNoSuchFile: "its folder does not exist"
            case .fileWriteNoPermission: "you may not write to its folder"
            case .fileWriteOutOfSpace: "the disk is full"
            default: "the system refuses it"
            }
        return ShellError(
            code: "badFile", message: "\(file.text) cannot be written: \(reason)", span: file.range,
            remedy: "name a file in a folder that exists and that you may write to")
    }
}
