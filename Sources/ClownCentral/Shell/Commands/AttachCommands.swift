import CloudletShell
import CommandShell
import Foundation

/// The commands for the attachments of posts.
struct AttachCommands {
    let app: AppSession

    private static let help = """
        NAME is the file's name, or its beginning. A file above 750,000 bytes is an asset on the server, a \
        smaller one a field of a record. \(PostCommands.help)
        """

    var commands: [CommandSpec] { [add, list, save, remove] }

    private var posts: PostStore {
        get async throws { try await app.personalData().posts.posts }
    }

    private var add: CommandSpec {
        CommandSpec(
            ["attach", "add"],
            group: PostCommands.group,
            summary: "attach files to a post",
            arguments: [ArgumentSpec("POST", .post), ArgumentSpec("FILE", .file, .many)],
            details: Self.help,
            examples: ["attach add Balloons ~/dog.png"]
        ) { arguments in
            let (word, files) = (try arguments.requiredWord("POST"), arguments.words(from: "FILE"))
            return .work {
                var post = try await app.post(word)
                for file in files {
                    let data = try app.fileContent(file, limit: PostRules.maximumFileBytes)
                    let name = app.environment.file(file).lastPathComponent
                    post = try await posts.attach(Data(data), named: name, to: post.id)
                }
                return Answer.attachments(of: post, [try await app.unsent("attached")])
            }
        }
    }

    private var list: CommandSpec {
        CommandSpec(
            ["attach", "list"],
            group: PostCommands.group,
            summary: "show the attachments of a post",
            arguments: [ArgumentSpec("POST", .post)],
            details: Self.help,
            examples: ["attach list Balloons"]
        ) { arguments in
            let word = try arguments.requiredWord("POST")
            return .work { Answer.attachments(of: try await app.post(word)) }
        }
    }

    private var save: CommandSpec {
        CommandSpec(
            ["attach", "save"],
            group: PostCommands.group,
            summary: "save an attachment to a file",
            arguments: [
                ArgumentSpec("POST", .post), ArgumentSpec("NAME", .attachment), ArgumentSpec("FILE", .file),
            ],
            details: Self.help,
            examples: ["attach save Balloons dog.png /tmp/dog.png"]
        ) { arguments in
            let (word, name) = (try arguments.requiredWord("POST"), try arguments.requiredWord("NAME"))
            let file = try arguments.requiredWord("FILE")
            return .work {
                let attachment = try app.attachment(name, of: try await app.post(word))
                guard let data = try await posts.data(of: attachment.id) else {
                    throw ShellError(
                        code: "noFile", message: "the file \(attachment.name) has not arrived on this device",
                        remedy: "sync")
                }
                return try app.save(data, to: file)
            }
        }
    }

    private var remove: CommandSpec {
        CommandSpec(
            ["attach", "remove"],
            group: PostCommands.group,
            summary: "delete an attachment",
            arguments: [ArgumentSpec("POST", .post), ArgumentSpec("NAME", .attachment)],
            flags: [FlagSpec("yes", "", .nothing, "do not ask")],
            details: Self.help,
            examples: ["attach remove Balloons dog.png"]
        ) { arguments in
            let (word, name) = (try arguments.requiredWord("POST"), try arguments.requiredWord("NAME"))
            let isSure = arguments.has("yes")
            return .work {
                let attachment = try app.attachment(name, of: try await app.post(word))
                let question = "delete the attachment \(attachment.name)?"
                guard try app.environment.isConfirmed(question, isSure: isSure) else {
                    return Answer.message("nothing was deleted")
                }
                try await posts.delete(attachment: attachment.id)
                return Answer.message(try await app.unsent("deleted \(attachment.name)"))
            }
        }
    }
}
