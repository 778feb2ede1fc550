import CloudletShell
import CommandShell
import Foundation

/// The commands for posts, which are saved to a store on this device that mirrors itself in the private
/// database.
struct PostCommands {
    let app: AppSession

    static let group = "Posts"
    static let help = """
        POST is an identifier, or the beginning of a title that only one post has. Posts are stored on \
        this device; `sync` exchanges them with your other devices.
        """

    var commands: [CommandSpec] { [add, list, show, edit, delete, publish, fill] }

    private var repository: PostRepository {
        get async throws { try await app.personalData().posts }
    }

    private static let from = FlagSpec("from", "FILE", .file, "take the text from a file")

    private var add: CommandSpec {
        CommandSpec(
            ["post", "add"],
            group: Self.group,
            summary: "write a post",
            arguments: [ArgumentSpec("TITLE", .text), ArgumentSpec("TEXT", .text, .optional)],
            flags: [Self.from, FlagSpec("tags", "TAG,…", .tag, "the tags that it gets")],
            details: """
                A text above 750,000 bytes is a file on the server. To write without publishing: draft add. \
                \(Self.help)
                """,
            examples: [
                "post add Balloons 'They are red' --tags party,animals", "post add Rules --from ~/rules.txt",
            ]
        ) { arguments in
            let (title, tags) = (try arguments.name("TITLE", as: "a title"), try Self.tags(arguments))
            return .work {
                let content = try text(arguments) ?? ""
                let post = try await repository.posts.add(
                    title, content, written: app.environment.now(), tags: tags)
                return Answer.post(post, try await app.unsent("wrote \(post.title)"))
            }
        }
    }

    /// The names in the flag `--tags`.
    static func tags(_ arguments: ParsedArguments) throws -> [String] {
        guard let word = arguments.flags["tags"] else { return [] }
        return try word.text.split(separator: ",").map {
            try ParsedArguments.checkedName(Word(String($0), range: word.range), as: "a tag")
        }
    }

    /// The text of an argument or of the file in `--from`; nil if neither is given.
    private func text(_ arguments: ParsedArguments) throws -> String? {
        let typed = arguments.word("TEXT") ?? arguments.flags["text"]
        guard let file = arguments.flags["from"] else { return typed?.text }
        if let typed {
            throw ShellError.usage("give the text or --from, not both", at: typed.range)
        }
        let data = try app.fileContent(file, limit: PostRules.maximumContentBytes)
        guard let text = String(validating: data, as: UTF8.self) else {
            throw ShellError(
                code: "badFile", message: "\(file.text) is not a text in UTF-8", span: file.range,
                remedy: "attach add POST \(Quoting.name(file.text) ?? "FILE"), which takes any file")
        }
        return text
    }

    private var list: CommandSpec {
        CommandSpec(
            ["post", "list"],
            group: Self.group,
            summary: "show your posts",
            flags: [
                FlagSpec("tag", "TAG", .tag, "only those with that tag"),
                FlagSpec(
                    "by", "ORDER", .choice(PostStore.Order.allCases.map(\.rawValue)),
                    "by title, which is the default, or the newest first"),
            ],
            examples: ["post list", "post list --tag party --by newest"]
        ) { arguments in
            let (tag, order) = (arguments.flags["tag"], try arguments.choice("by") ?? PostStore.Order.title)
            return .work {
                let posts = try await repository.posts
                var name: String?
                if let tag { name = try await app.tag(tag).name }
                var answer = Answer.posts(try await posts.posts(tag: name, by: order), tag: name)
                answer.notes += try await posts.unreadable().map { "skipped: \($0)" }
                return answer
            }
        }
    }

    private var show: CommandSpec {
        CommandSpec(
            ["post", "show"],
            group: Self.group,
            summary: "show a post with its text, tags and attachments",
            arguments: [ArgumentSpec("POST", .post)],
            details: """
                `measured` is the number of places on this device; `place` and `walked` are the uploaded \
                walk. \(Self.help)
                """,
            examples: ["post show Balloons"]
        ) { arguments in
            let word = try arguments.requiredWord("POST")
            return .work {
                let post = try await app.post(word)
                let count = try await repository.places.places(of: post.id).count
                return Answer.post(post, placeCount: count)
            }
        }
    }

    private var edit: CommandSpec {
        CommandSpec(
            ["post", "edit"],
            group: Self.group,
            summary: "change the title or the text of a post",
            arguments: [ArgumentSpec("POST", .post)],
            flags: [
                FlagSpec("title", "TITLE", .text, "the new title"),
                FlagSpec("text", "TEXT", .text, "the new text"), Self.from,
            ],
            details: """
                If two devices change the text, the change that is sent last wins. Changes of title and \
                text do not conflict. \(Self.help)
                """,
            examples: ["post edit Balloons --text 'They are blue'"]
        ) { arguments in
            let (word, title) = (try arguments.requiredWord("POST"), arguments.text("title"))
            guard title != nil || arguments.has("text") || arguments.has("from") else {
                throw ShellError.usage(
                    "`post edit` needs a change", at: word.range, remedy: "give --title, --text or --from")
            }
            return .work {
                let content = try text(arguments)
                let post = try await app.post(word)
                let changed = try await repository.posts.change(post.id, title: title, content: content)
                return Answer.post(changed, try await app.unsent("changed"))
            }
        }
    }

    private var delete: CommandSpec {
        CommandSpec(
            ["post", "delete"],
            group: Self.group,
            summary: "delete a post with its attachments and places",
            arguments: [ArgumentSpec("POST", .post)],
            flags: [FlagSpec("yes", "", .nothing, "do not ask")],
            details: Self.help,
            examples: ["post delete Balloons"]
        ) { arguments in
            let (word, isSure) = (try arguments.requiredWord("POST"), arguments.has("yes"))
            return .work {
                let post = try await app.post(word)
                let count = post.attachments.count
                let with = count == 0 ? "" : " with \(Answer.counted(count, "attachment"))"
                let subject = "the post \(post.title)\(with)"
                guard try app.environment.isConfirmed("delete \(subject)?", isSure: isSure) else {
                    return Answer.message("nothing was deleted")
                }
                let deleted = try await repository.delete(post.id)
                await app.setUndo(
                    AppSession.Undo(subject: subject) {
                        try await deleted.restore()
                        return deleted.count
                    })
                return Answer.message(
                    "deleted \(subject); until this shell ends, `undo` restores it",
                    facts: [AnswerField("deleted", .count(deleted.count))]
                )
            }
        }
    }

    private var publish: CommandSpec {
        CommandSpec(
            ["post", "publish"],
            group: Self.group,
            summary: "turn a draft into a post",
            arguments: [ArgumentSpec("DRAFT", .draft)],
            flags: [FlagSpec("tags", "TAG,…", .tag, "the tags that it gets")],
            details: DraftCommands.help,
            examples: ["post publish Noses --tags party"]
        ) { arguments in
            let (word, tags) = (try arguments.requiredWord("DRAFT"), try Self.tags(arguments))
            return .work {
                let draft = try await app.draft(word)
                let post = try await repository.publish(draft, tags: tags, at: app.environment.now())
                return Answer.post(post, try await app.unsent("published \(post.title)"))
            }
        }
    }

    private var fill: CommandSpec {
        CommandSpec(
            ["post", "fill"],
            group: Self.group,
            summary: "write a post with a text of N bytes, to test with long ones",
            arguments: [ArgumentSpec("TITLE", .text), ArgumentSpec("N", .number)],
            examples: ["post fill Rules 800000"]
        ) { arguments in
            let title = try arguments.name("TITLE", as: "a title")
            let count = try ParsedArguments.whole(
                try arguments.requiredWord("N"), 1...PostRules.maximumContentBytes, called: "N")
            return .work {
                let post = try await repository.posts.add(
                    title, Self.longText(count), written: app.environment.now())
                return Answer.posts([post], tag: nil).noting(try await app.unsent("wrote \(post.title)"))
            }
        }
    }

    private static func longText(_ byteCount: Int) -> String {
        var text = ""
        text.reserveCapacity(byteCount + 40)
        var number = 0
        while text.utf8.count < byteCount {
            number += 1
            text += "Line \(number) of a long text.\n"
        }
        return String(text.prefix(byteCount))
    }
}
