import Cloudlet
import CloudletShell
import CommandShell
import Foundation

/// The commands for requests for access to notes.
extension ShareCommands {
    /// Whether people may ask for access from now on; nil if the flags do not change it.
    static func takesRequests(_ arguments: ParsedArguments) throws -> Bool? {
        let (takes, refuses) = (arguments.has("requests"), arguments.has("no-requests"))
        if !takes, !refuses { return nil }
        let others = ["public", "private", "read-only"].filter { arguments.has($0) }
        if takes != refuses, others.isEmpty { return takes }
        throw ShellError.usage(
            "--requests and --no-requests cannot be combined with each other or other flags",
            at: arguments.flags[takes ? "requests" : "no-requests"]?.range, remedy: arguments.spec.usage)
    }

    var ask: CommandSpec {
        CommandSpec(
            ["share", "ask"],
            group: Self.group,
            summary: "ask the owner of a note for access",
            arguments: [ArgumentSpec("URL", .text)],
            details: """
                For a person who has the URL of a note but no invitation. The owner sees your name, and \
                must have allowed requests with `share link NOTE --requests`. After the owner has approved, \
                type `share accept URL`.
                """,
            examples: ["share ask http://localhost:8080/share/0AbCdEf"]
        ) { arguments in
            let url = try Self.url(arguments)
            return .work {
                try await dialog.askForAccess(at: url)
                return Answer.message(
                    "asked the owner; after the approval: share accept \(url.absoluteString)",
                    facts: [AnswerField("url", .text(url.absoluteString))])
            }
        }
    }

    var requests: CommandSpec {
        CommandSpec(
            ["share", "requests"],
            group: Self.group,
            summary: "list the people who ask for access to one of your notes, and those you have blocked",
            arguments: [ArgumentSpec("NOTE", .note)],
            details: Self.atServer,
            examples: ["share requests Bring"]
        ) { arguments in
            let word = try arguments.requiredWord("NOTE")
            return .work {
                let shared = try await repository.shared(try await app.note(word))
                return Answer.requests(of: shared, [])
            }
        }
    }

    var approve: CommandSpec {
        CommandSpec(
            ["share", "approve"],
            group: Self.group,
            summary: "invite a person who asks for access to one of your notes",
            arguments: [ArgumentSpec("NOTE", .note)],
            flags: [
                Self.who, FlagSpec("read-only", "", .nothing, "the person may only read it"),
            ],
            details: "\(Self.atServer) The person takes part after accepting: `share accept URL`.",
            examples: ["share approve Bring --who Eve"]
        ) { arguments in
            let (word, who) = (try arguments.requiredWord("NOTE"), arguments.flags["who"])
            let permission: CKShare.ParticipantPermission =
                arguments.has("read-only") ? .readOnly : .readWrite
            return .work {
                let dialog = try await dialog
                let shared = try await dialog.shared(try await app.note(word))
                let person = try Self.requester(who, of: shared)
                let rest = try await dialog.approve(person, of: shared, permission)
                return Answer.participants(of: rest, ["invited \(person.userIdentity.displayName)"])
            }
        }
    }

    var deny: CommandSpec {
        CommandSpec(
            ["share", "deny"],
            group: Self.group,
            summary: "deny a request for access to one of your notes",
            arguments: [ArgumentSpec("NOTE", .note)],
            flags: [Self.who, FlagSpec("block", "", .nothing, "the person cannot ask again")],
            details: "\(Self.atServer) The person gets no message. `share unblock` removes a block.",
            examples: ["share deny Bring --who Eve", "share deny Bring --who Eve --block"]
        ) { arguments in
            let (word, who) = (try arguments.requiredWord("NOTE"), arguments.flags["who"])
            let blocks = arguments.has("block")
            return .work {
                let dialog = try await dialog
                let shared = try await dialog.shared(try await app.note(word))
                let person = try Self.requester(who, of: shared)
                let rest = try await dialog.deny(person, of: shared, blocks: blocks)
                let name = person.userIdentity.displayName
                return Answer.requests(of: rest, [blocks ? "blocked \(name)" : "denied \(name)"])
            }
        }
    }

    var unblock: CommandSpec {
        CommandSpec(
            ["share", "unblock"],
            group: Self.group,
            summary: "let a blocked person ask for access to one of your notes again",
            arguments: [ArgumentSpec("NOTE", .note)],
            flags: [Self.who],
            details: Self.atServer,
            examples: ["share unblock Bring --who Eve"]
        ) { arguments in
            let (word, who) = (try arguments.requiredWord("NOTE"), arguments.flags["who"])
            return .work {
                let dialog = try await dialog
                let shared = try await dialog.shared(try await app.note(word))
                let person = try Self.pick(
                    who, "blocked person", from: shared.share.blockedIdentities, of: shared,
                    identity: \.userIdentity)
                let rest = try await dialog.unblock(person, of: shared)
                return Answer.requests(of: rest, ["unblocked \(person.userIdentity.displayName)"])
            }
        }
    }

    private static let who = FlagSpec(
        "who", "PERSON", .requester, "a name, as `share requests` prints it", isRequired: true)

    private static func requester(
        _ word: Word?, of shared: SharedNote
    ) throws -> CKShare.AccessRequester {
        try pick(word, "request", from: shared.share.requesters, of: shared, identity: \.userIdentity)
    }

    private static func pick<Person>(
        _ word: Word?, _ kind: String, from people: [Person], of shared: SharedNote,
        identity: (Person) -> CKUserIdentity
    ) throws -> Person {
        try (word ?? Word("")).pick(
            kind, from: people, remedy: "share requests \(Quoting.name(shared.note.text) ?? "NOTE")",
            id: { identity($0).id }, name: { identity($0).displayName })
    }
}
