import CloudletShell
import CommandShell
import Foundation

/// The commands for drafts, which are in a store of their own on this device.
struct DraftCommands {
    let app: AppSession

    static let help = """
        DRAFT is an identifier, or the beginning of a title. A draft stays on this device until \
        `post publish`. It needs a text, and its title has at most \
        \(PostRules.maximumDraftTitleCharacters) characters.
        """

    var commands: [CommandSpec] { [add, list, edit, delete] }

    private var drafts: DraftStore {
        get async throws { try await app.personalData().posts.drafts }
    }

    private var add: CommandSpec {
        CommandSpec(
            ["draft", "add"],
            group: PostCommands.group,
            summary: "write a post that stays on this device",
            arguments: [ArgumentSpec("TITLE", .text), ArgumentSpec("TEXT", .text)],
            details: Self.help,
            examples: ["draft add Noses 'Are they all red?'"]
        ) { arguments in
            let (title, text) = (try arguments.name("TITLE"), try arguments.requiredWord("TEXT").text)
            return .work {
                let draft = try await drafts.add(title, text, written: app.environment.now())
                return Answer.drafts([draft], [Self.note(draft)])
            }
        }
    }

    private var list: CommandSpec {
        CommandSpec(
            ["draft", "list"],
            group: PostCommands.group,
            summary: "show the drafts on this device",
            examples: ["draft list"]
        ) { _ in
            .work { Answer.drafts(try await drafts.drafts()) }
        }
    }

    private var edit: CommandSpec {
        CommandSpec(
            ["draft", "edit"],
            group: PostCommands.group,
            summary: "change the title or the text of a draft",
            arguments: [ArgumentSpec("DRAFT", .draft)],
            flags: [
                FlagSpec("title", "TITLE", .text, "the new title"),
                FlagSpec("text", "TEXT", .text, "the new text"),
            ],
            details: Self.help,
            examples: ["draft edit Noses --text 'They are all red.'"]
        ) { arguments in
            let word = try arguments.requiredWord("DRAFT")
            let (title, text) = (arguments.text("title"), arguments.text("text"))
            if title == nil, text == nil {
                throw ShellError.usage(
                    "`draft edit` needs a change", at: word.range, remedy: "give --title or --text")
            }
            return .work {
                let known = try await app.draft(word)
                let draft = try await drafts.change(known.id, title: title, content: text)
                return Answer.drafts([draft], [Self.note(draft)])
            }
        }
    }

    private var delete: CommandSpec {
        CommandSpec(
            ["draft", "delete"],
            group: PostCommands.group,
            summary: "delete a draft",
            arguments: [ArgumentSpec("DRAFT", .draft)],
            flags: [FlagSpec("yes", "", .nothing, "do not ask")],
            details: Self.help,
            examples: ["draft delete Noses"]
        ) { arguments in
            let (word, isSure) = (try arguments.requiredWord("DRAFT"), arguments.has("yes"))
            return .work {
                let draft = try await app.draft(word)
                let question = "delete the draft \(draft.title)?"
                guard try app.environment.isConfirmed(question, isSure: isSure) else {
                    return Answer.message("nothing was deleted")
                }
                try await drafts.delete(draft.id)
                return Answer.message("deleted the draft \(draft.title)")
            }
        }
    }

    private static func note(_ draft: Draft) -> String {
        "kept on this device; to make it a post: post publish \(Quoting.name(draft.title) ?? "DRAFT")"
    }
}
