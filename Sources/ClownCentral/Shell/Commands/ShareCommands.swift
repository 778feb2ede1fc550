import Cloudlet
import CloudletShell
import CommandShell
import Foundation

/// The commands for notes that people share with each other.
struct ShareCommands {
    let app: AppSession

    static let group = NoteCommands.group
    /// The part of the help that says where shared notes are. Those of others are not in the local replica,
    /// because the sync copies the private database only.
    static let atServer = """
        NOTE is an identifier, or the beginning of a text that only one note has. Sharing needs the \
        network: the server shares the notes that it has, so `sync` first. Notes of other people are \
        read and written on the server, not on this device.
        """

    var commands: [CommandSpec] {
        [add, show, link, accept, list, edit, remove, leave, stop, ask, requests, approve, deny, unblock]
    }

    var repository: ShareRepository {
        get async { ShareRepository(container: await app.cloud.container) }
    }

    /// The repository for what people do in the system's dialog for sharing.
    ///
    /// - Throws: `ShellError` on a device without such a dialog.
    var dialog: ShareRepository {
        get async throws {
            try await app.cloud.checkSharingDialog()
            return await repository
        }
    }

    // MARK: The owner

    private var add: CommandSpec {
        CommandSpec(
            ["share", "add"],
            group: Self.group,
            summary: "invite people to read and edit one of your notes",
            arguments: [ArgumentSpec("NOTE", .note)],
            flags: [
                FlagSpec(
                    "with", "ADDRESS,…", .address, "their e-mail addresses or phone numbers",
                    isRequired: true),
                FlagSpec("read-only", "", .nothing, "they may only read it"),
            ],
            details: """
                \(Self.atServer) A person who is invited again gets the new permission. The server sends \
                no invitations: send the people the URL, which `share link` prints.
                """,
            examples: [
                "share add Bring --with bob@example.org",
                "share add Bring --with bob@example.org,carol@example.org --read-only",
            ]
        ) { arguments in
            let word = try arguments.requiredWord("NOTE")
            let addresses = try Self.addresses(arguments)
            let permission: CKShare.ParticipantPermission =
                arguments.has("read-only") ? .readOnly : .readWrite
            return .work {
                let note = try await app.note(word)
                let shared = try await dialog.invite(addresses, to: note, permission)
                return Answer.participants(
                    of: shared,
                    ["invited; send them the URL: share link \(Quoting.name(note.text) ?? "NOTE")"])
            }
        }
    }

    private static func addresses(_ arguments: ParsedArguments) throws -> [String] {
        guard let word = arguments.flags["with"] else { return [] }
        let addresses = word.text.split(separator: ",").map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        let invalid = addresses.first { !$0.contains("@") && !$0.hasPrefix("+") }
        if !addresses.isEmpty, invalid == nil { return addresses }
        throw ShellError.usage(
            "`\(invalid ?? word.text)` is not an e-mail address, nor a phone number that begins with +",
            at: word.range,
            remedy: "share add NOTE --with bob@example.org,+442079460018; people set their address with: "
                + "profile email=bob@example.org")
    }

    private var link: CommandSpec {
        CommandSpec(
            ["share", "link"],
            group: Self.group,
            summary: "show the URL of a note that you share, or set who may join by it",
            arguments: [ArgumentSpec("NOTE", .note)],
            flags: [
                FlagSpec("public", "", .nothing, "everybody who has the URL may join"),
                FlagSpec("read-only", "", .nothing, "with --public: they may only read the note"),
                FlagSpec("private", "", .nothing, "only people who are invited may join"),
                FlagSpec("requests", "", .nothing, "people who have the URL may ask you for access"),
                FlagSpec("no-requests", "", .nothing, "nobody may ask; pending requests are dropped"),
            ],
            details: """
                \(Self.atServer) --public removes the invitations that nobody has accepted, and shares \
                the note if it is not shared. --private removes everybody from a note that was public.
                """,
            examples: [
                "share link Bring", "share link Bring --public --read-only", "share link Bring --requests",
            ]
        ) { arguments in
            let word = try arguments.requiredWord("NOTE")
            let permission = try Self.publicPermission(arguments)
            let takesRequests = try Self.takesRequests(arguments)
            return .work {
                let note = try await app.note(word)
                let dialog = try await dialog
                if let takesRequests {
                    return Answer.link(of: try await dialog.takeRequests(note, takesRequests))
                }
                guard let permission else { return Answer.link(of: try await dialog.shared(note)) }
                return Answer.link(of: try await dialog.open(note, to: permission))
            }
        }
    }

    /// The permission that the flags name; nil if it does not change.
    private static func publicPermission(
        _ arguments: ParsedArguments
    ) throws -> CKShare.ParticipantPermission? {
        let isReadOnly = arguments.has("read-only")
        switch (arguments.has("public"), arguments.has("private")) {
        case (true, false): return isReadOnly ? .readOnly : .readWrite
        case (false, true) where !isReadOnly: return CKShare.ParticipantPermission.none
        case (false, false) where !isReadOnly: return nil
        case (true, true):
            throw ShellError.usage(
                "a note is either public or private", at: arguments.flags["private"]?.range,
                remedy: arguments.spec.usage)
        default:
            throw ShellError.usage(
                "--read-only is for --public", at: arguments.flags["read-only"]?.range,
                remedy: arguments.spec.usage)
        }
    }

    private var remove: CommandSpec {
        CommandSpec(
            ["share", "remove"],
            group: Self.group,
            summary: "remove a person from a note that you share",
            arguments: [ArgumentSpec("NOTE", .note)],
            flags: [
                FlagSpec(
                    "who", "PERSON", .participant, "an address or a name, as `share show` prints it",
                    isRequired: true)
            ],
            details: Self.atServer,
            examples: ["share remove Bring --who bob@example.org"]
        ) { arguments in
            let (word, person) = (try arguments.requiredWord("NOTE"), arguments.flags["who"])
            return .work {
                let note = try await app.note(word)
                let dialog = try await dialog
                let shared = try await dialog.shared(note)
                guard let person else { return Answer.participants(of: shared, []) }
                let guest = try Self.guest(person, of: shared)
                let name = guest.displayName
                let rest = try await dialog.remove(guest, from: shared)
                return Answer.participants(of: rest, ["removed \(name)"])
            }
        }
    }

    private static func guest(_ word: Word, of shared: SharedNote) throws -> CKShare.Participant {
        let same = shared.guests.first { $0.address?.lowercased() == word.text.lowercased() }
        return try same
            ?? word.pick(
                "participant", from: shared.guests,
                remedy: "share show \(Quoting.name(shared.note.text) ?? "NOTE")",
                id: \.participantID, name: \.displayName)
    }

    private var stop: CommandSpec {
        CommandSpec(
            ["share", "stop"],
            group: Self.group,
            summary: "end the share of a note: only you can read it from then on",
            arguments: [ArgumentSpec("NOTE", .note)],
            details: "\(Self.atServer) A note that is shared again gets the same URL.",
            examples: ["share stop Bring"]
        ) { arguments in
            let word = try arguments.requiredWord("NOTE")
            return .work {
                let note = try await app.note(word)
                try await dialog.stop(note)
                return Answer.message(
                    "the note `\(note.text)` is private again", facts: [AnswerField("id", .text(note.id))])
            }
        }
    }

    // MARK: Everybody

    private var list: CommandSpec {
        CommandSpec(
            ["share", "list"],
            group: Self.group,
            summary: "list the notes that you share or others share with you, with their last editors",
            details: """
                The owner is shown by name. A guest who was invited by an address is shown by that address. \
                \(Self.atServer)
                """,
            examples: ["share list"]
        ) { _ in
            .work {
                let repository = await repository
                let (own, others) = (try await repository.byMe(), try await repository.withMe())
                return Answer.sharedNotes(own.models + others.models)
                    .skipping(own.unreadable + others.unreadable)
            }
        }
    }

    private var show: CommandSpec {
        CommandSpec(
            ["share", "show"],
            group: Self.group,
            summary: "show who takes part in a shared note, with permissions and answers",
            arguments: [ArgumentSpec("NOTE", .sharedNote)],
            details: Self.atServer,
            examples: ["share show Bring"]
        ) { arguments in
            let word = try arguments.requiredWord("NOTE")
            return .work {
                let repository = await repository
                let all = try await repository.byMe().models + repository.withMe().models
                let shared = try await find(word, among: all) { .notShared(note: $0.text) }
                return Answer.participants(of: shared, ["the note: \(shared.note.text)"])
            }
        }
    }

    // MARK: Participants

    private var accept: CommandSpec {
        CommandSpec(
            ["share", "accept"],
            group: Self.group,
            summary: "accept a note that somebody shares with you",
            arguments: [ArgumentSpec("URL", .text)],
            details: """
                The owner gets the URL by `share link NOTE`. A person who was invited by an address needs \
                an account with that address; `address prove` adds it to yours. Needs `sharing = on`, the \
                default, in \(ClownCentralApp.names.name).conf.
                """,
            examples: ["share accept http://localhost:8080/share/0AbCdEf"]
        ) { arguments in
            let url = try Self.url(arguments)
            return .work {
                try await app.cloud.checkSharingSupport(file: "\(ClownCentralApp.names.name).conf")
                let shared = try await accept(url)
                let note = Quoting.name(shared.note.text) ?? "NOTE"
                return Answer.sharedNote(
                    shared, "accepted; it is in: share list; to change it: share edit \(note) TEXT")
            }
        }
    }

    /// Accepts a share. If the invitation may be for another address, the error names the command that proves
    /// that the person owns it.
    private func accept(_ url: URL) async throws -> SharedNote {
        do {
            return try await dialog.accept(url)
        } catch {
            var shellError = ShellError(error)
            guard shellError.code == "\(CKError.Code.participantMayNeedVerification)" else { throw error }
            shellError.remedy =
                "prove that you own the invited address: address prove you@example.org --share \(url)"
            throw shellError
        }
    }

    /// The URL of a share that somebody typed.
    static func url(_ arguments: ParsedArguments) throws -> URL {
        let word = try arguments.requiredWord("URL")
        guard let url = URL(string: word.text), url.scheme != nil else {
            throw ShellError.usage(
                "`\(word.text)` is not the URL of a share", at: word.range,
                remedy: "ask the owner of the note for the URL, which `share link NOTE` prints")
        }
        return url
    }

    private var edit: CommandSpec {
        CommandSpec(
            ["share", "edit"],
            group: Self.group,
            summary: "change the text of a note that another person shares with you",
            arguments: [ArgumentSpec("NOTE", .noteOfOthers), ArgumentSpec("TEXT", .text)],
            details: "\(Self.atServer) Edit your own notes with `note edit`, including those that you share.",
            examples: ["share edit Bring 'Bring red balloons'"]
        ) { arguments in
            let word = try arguments.requiredWord("NOTE")
            let text = try arguments.name("TEXT", as: "a note")
            return .work {
                let shared = try await noteOfOthers(word, remedy: "note edit NOTE TEXT, then sync")
                return Answer.sharedNote(
                    try await repository.edit(shared, text: text), "changed, for all participants")
            }
        }
    }

    private var leave: CommandSpec {
        CommandSpec(
            ["share", "leave"],
            group: Self.group,
            summary: "stop taking part in a note of another person",
            arguments: [ArgumentSpec("NOTE", .noteOfOthers)],
            details: Self.atServer,
            examples: ["share leave Bring"]
        ) { arguments in
            let word = try arguments.requiredWord("NOTE")
            return .work {
                let shared = try await noteOfOthers(word, remedy: "share stop NOTE")
                try await dialog.leave(shared)
                return Answer.message(
                    "left the note `\(shared.note.text)` of \(shared.share.owner.displayName)",
                    facts: [AnswerField("id", .text(shared.note.id))])
            }
        }
    }

    // MARK: Finding by words

    /// The note of another person that a word names. `remedy` is the next step for the owner of a note.
    private func noteOfOthers(_ word: Word, remedy: String) async throws -> SharedNote {
        try await find(word, among: try await repository.withMe().models) { note in
            .ownNote(note: note.text, remedy: remedy)
        }
    }

    /// The shared note that a word names. If it names another note of the signed-in person, throws
    /// the error that the closure returns for that note.
    private func find(
        _ word: Word, among notes: [SharedNote], else error: (Note) -> RepositoryError
    ) async throws -> SharedNote {
        do {
            return try word.pick(
                "shared note", from: notes, remedy: "share list", id: \.note.id, name: \.note.text)
        } catch let missing as ShellError where missing.code == "notFound" {
            guard let own = try? await app.note(word) else { throw missing }
            throw error(own)
        }
    }
}
