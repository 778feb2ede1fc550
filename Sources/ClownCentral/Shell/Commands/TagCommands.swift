import CloudletShell
import CommandShell
import Foundation

/// The commands for the tags of posts. A post has many tags, and a tag many posts.
struct TagCommands {
    let app: AppSession

    private static let help = """
        TAG is the name of a tag; `Party` and `party` are the same. If two devices create a tag of the same \
        name offline, it is one tag. \(PostCommands.help)
        """

    var commands: [CommandSpec] { [add, remove, list, delete] }

    private var posts: PostStore {
        get async throws { try await app.personalData().posts.posts }
    }

    private var add: CommandSpec {
        CommandSpec(
            ["tag", "add"],
            group: PostCommands.group,
            summary: "give a post tags, and create those that do not exist",
            arguments: [ArgumentSpec("POST", .post), ArgumentSpec("TAG", .tag, .many)],
            details: Self.help,
            examples: ["tag add Balloons party animals"]
        ) { arguments in
            let word = try arguments.requiredWord("POST")
            let names = try arguments.words(from: "TAG").map {
                try ParsedArguments.checkedName($0, as: "a tag")
            }
            return .work {
                let post = try await app.post(word)
                return Answer.post(
                    try await posts.tag(post.id, names), try await app.unsent("tagged \(post.title)"))
            }
        }
    }

    private var remove: CommandSpec {
        CommandSpec(
            ["tag", "remove"],
            group: PostCommands.group,
            summary: "remove a tag from a post",
            arguments: [ArgumentSpec("POST", .post), ArgumentSpec("TAG", .tag)],
            details: Self.help,
            examples: ["tag remove Balloons party"]
        ) { arguments in
            let (word, tag) = (try arguments.requiredWord("POST"), try arguments.requiredWord("TAG"))
            return .work {
                let (post, tag) = (try await app.post(word), try await app.tag(tag))
                return Answer.post(
                    try await posts.untag(post.id, tag.name),
                    try await app.unsent("removed \(tag.name) from \(post.title)"))
            }
        }
    }

    private var list: CommandSpec {
        CommandSpec(
            ["tag", "list"],
            group: PostCommands.group,
            summary: "show the tags with the number of their posts",
            examples: ["tag list"]
        ) { _ in
            .work { Answer.tags(try await posts.tags()) }
        }
    }

    private var delete: CommandSpec {
        CommandSpec(
            ["tag", "delete"],
            group: PostCommands.group,
            summary: "delete a tag; the posts that had it stay",
            arguments: [ArgumentSpec("TAG", .tag)],
            flags: [FlagSpec("yes", "", .nothing, "do not ask")],
            details: Self.help,
            examples: ["tag delete animals"]
        ) { arguments in
            let (word, isSure) = (try arguments.requiredWord("TAG"), arguments.has("yes"))
            return .work {
                let tag = try await app.tag(word)
                let question = "delete the tag \(tag.name) of \(Answer.counted(tag.postCount, "post"))?"
                guard try app.environment.isConfirmed(question, isSure: isSure) else {
                    return Answer.message("nothing was deleted")
                }
                try await posts.deleteTag(tag.name)
                return Answer.message(try await app.unsent("deleted the tag \(tag.name)"))
            }
        }
    }
}
