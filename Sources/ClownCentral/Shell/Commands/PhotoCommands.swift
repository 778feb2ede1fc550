import Cloudlet
import CloudletShell
import CommandShell
import Foundation

/// The commands for the photos of parties.
struct PhotoCommands {
    let app: AppSession

    static let group = "Photos"
    private static let photoHelp =
        "PHOTO is an identifier, a name, or the beginning of a name that only one photo has."

    var commands: [CommandSpec] {
        [add.needingAccount(), list, next, save, remove.needingAccount(), show]
    }

    // MARK: Listing

    private var list: CommandSpec {
        CommandSpec(
            ["photo", "list"],
            group: Self.group,
            summary: "list the photos of a party with their thumbnails, and show how many bytes this saved",
            arguments: [ArgumentSpec("PARTY", .party)],
            flags: [
                FlagSpec("limit", "N", .number, "the size of a page; \(PhotoPage.defaultLimit) if not given")
            ],
            details:
                """
                Only thumbnails are fetched, never the full photos. `photo next` shows the next page.
                \(PartyCommands.partyHelp)
                """,
            examples: ["photo list Coffee --limit 4"]
        ) { arguments in
            let (party, limit) = (try arguments.requiredWord("PARTY"), try arguments.count("limit"))
            return .work { try await list(party, limit: limit) }
        }
    }

    private func list(_ word: Word, limit: Int?) async throws -> Answer {
        let party = try await app.party(word)
        let most = await app.cloud.context.profile.listLimit ?? .max
        let limit = min(limit ?? PhotoPage.defaultLimit, most)
        let page = try await app.photos.list(party: party.id, limit: limit)
        return await remember(page, of: party, limit: limit, shown: 0)
    }

    private var next: CommandSpec {
        CommandSpec(
            ["photo", "next"],
            group: Self.group,
            summary: "show the next page of the last photo list",
            details:
                "The server keeps no state between two pages: the cursor contains the position.",
            examples: ["photo next"]
        ) { _ in
            .work { try await next() }
        }
    }

    private func next() async throws -> Answer {
        guard let list = await app.photoList else {
            let message = "there is no photo list to continue"
            throw ShellError(code: "noList", message: message, remedy: "photo list PARTY")
        }
        guard let cursor = list.cursor else {
            return Answer.photos(PhotoPage(photos: [], cursor: nil), of: list.party, from: list.shown)
        }
        let page = try await app.photos.next(cursor, limit: list.limit)
        return await remember(page, of: list.party, limit: list.limit, shown: list.shown)
    }

    private func remember(_ page: PhotoPage, of party: Party, limit: Int, shown: Int) async -> Answer {
        await app.setPhotoList(
            AppSession.PhotoList(
                party: party, limit: limit, cursor: page.cursor, shown: shown + page.photos.count))
        return Answer.photos(page, of: party, from: shown)
    }

    // MARK: One photo

    private var save: CommandSpec {
        CommandSpec(
            ["photo", "save"],
            group: Self.group,
            summary: "save a photo to a file",
            arguments: [ArgumentSpec("PHOTO", .photo), ArgumentSpec("FILE", .file)],
            flags: [FlagSpec("thumbnail", "", .nothing, "save the thumbnail and not the full photo")],
            details: """
                \(Self.photoHelp)
                FILE may be a folder.
                """,
            examples: ["photo save A.jpg /tmp/full.jpg", "photo save A.jpg /tmp/small.jpg --thumbnail"]
        ) { arguments in
            let (photo, file) = (try arguments.requiredWord("PHOTO"), try arguments.requiredWord("FILE"))
            let isThumbnail = arguments.has("thumbnail")
            return .work { try await save(photo, to: file, isThumbnail: isThumbnail) }
        }
    }

    private func save(_ word: Word, to file: Word, isThumbnail: Bool) async throws -> Answer {
        if await app.cloud.context.profile == .watch, !isThumbnail {
            let (name, target) = (Quoting.name(word.text) ?? "PHOTO", Quoting.name(file.text) ?? "FILE")
            throw ShellError(
                code: "noRoom", message: "a watch has no space for full photos",
                remedy: "photo save \(name) \(target) --thumbnail")
        }
        let photo = try await app.photo(word)
        let source = try await app.photos.file(of: photo.id, isThumbnail: isThumbnail)
        var target = app.environment.file(file)
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: target.path, isDirectory: &isFolder), isFolder.boolValue {
            target = target.appendingPathComponent(photo.fileName)
        }
        let shown = file.text.hasSuffix("/") ? file.text + photo.fileName : file.text
        guard try app.environment.mayWrite(target, shownAs: shown) else {
            return Answer.message("nothing was written")
        }
        let data: Data
        do {
            data = try Data(contentsOf: source, options: .mappedIfSafe)
            try data.writeForUser(to: target)
        } catch {
            throw AppSession.unwritable(file, error)
        }
        return Answer.savedFile(of: photo, isThumbnail: isThumbnail, data: data, name: shown)
    }

    private var remove: CommandSpec {
        CommandSpec(
            ["photo", "remove"],
            group: Self.group,
            summary: "delete a photo and free its space",
            arguments: [ArgumentSpec("PHOTO", .photo)],
            details: Self.photoHelp,
            examples: ["photo remove A.jpg"]
        ) { arguments in
            let photo = try arguments.requiredWord("PHOTO")
            return .work { try await remove(photo) }
        }
    }

    private func remove(_ word: Word) async throws -> Answer {
        let photo = try await app.photo(word)
        let record = try await app.publicDatabase.record(for: CKRecord.ID(recordName: photo.id))
        try await app.photos.remove(photo.id)
        await app.setUndo(of: photo.name, restoring: PartyTree(records: [record]))
        let fields = [AnswerField("id", .text(photo.id)), AnswerField("name", .text(photo.name))]
        return Answer(form: .record, entries: [Entry(fields)], notes: ["removed \(photo.name)"])
    }

    private var show: CommandSpec {
        CommandSpec(
            ["photo", "show"],
            group: Self.group,
            summary: "draw the thumbnail of a photo in the terminal",
            arguments: [ArgumentSpec("PHOTO", .photo)],
            details: "Draws with chafa (Debian: apt-get install chafa); without it, prints name and size.",
            examples: ["photo show A.jpg"]
        ) { arguments in
            let photo = try arguments.requiredWord("PHOTO")
            return .work { try await draw(photo) }
        }
    }

    private func draw(_ word: Word) async throws -> Answer {
        let photo = try await app.photo(word)
        let file = try await app.photos.file(of: photo.id, isThumbnail: true)
        guard let drawing = try await app.viewer?.drawing(of: file) else {
            let size = Value.pixels(Value.Size(photo.size)).text
            return Answer.message(
                "\(photo.name), \(size); chafa would draw it: apt-get install chafa",
                facts: [AnswerField("name", .text(photo.name)), AnswerField("drawn", .flag(false))])
        }
        var answer = Answer(form: .drawing(drawing))
        answer.facts = [AnswerField("name", .text(photo.name)), AnswerField("drawn", .flag(true))]
        return answer
    }
}
