// Owns the description of the commands about photos.
import Foundation

extension CommandTable {
    static let photoCommands = [photoAdd, photoList, photoNext, photoSave, photoRemove]

    private static let group = "Photos"

    private static let photoAdd = CommandSpec(
        path: ["photo", "add"],
        group: group,
        summary: "add JPEG or PNG files to a party",
        arguments: [ArgumentSpec("PARTY", .party), ArgumentSpec("FILE", .file, .many)],
        details: """
            All files are stored in one batch.
            A file that cannot be used is named, and the others are stored still.
            Beside each photo a thumbnail of at most 256 pixels is stored, upright and without metadata.
            \(partyHelp)
            """,
        examples: ["photo add Coffee A.jpg B.png"],
        build: { .photo(.add(party: try $0.requiredWord("PARTY"), files: $0.words(from: "FILE"))) }
    )

    private static let photoList = CommandSpec(
        path: ["photo", "list"],
        group: group,
        summary: "list the photos of a party with their thumbnails, and tell the bytes that this saved",
        arguments: [ArgumentSpec("PARTY", .party)],
        flags: [
            FlagSpec("limit", "N", .number, "the size of a page; \(PhotoPage.defaultLimit) if not given")
        ],
        details:
            """
            Only thumbnails are fetched, never the full photos. `photo next` shows the next page.
            \(partyHelp)
            """,
        examples: ["photo list Coffee --limit 4"],
        build: { .photo(.list(party: try $0.requiredWord("PARTY"), limit: try $0.count("limit"))) }
    )

    private static let photoNext = CommandSpec(
        path: ["photo", "next"],
        group: group,
        summary: "show the next page of the last photo list",
        details: "The server remembers nothing between two pages: the place to go on from is in the cursor.",
        examples: ["photo next"],
        build: { _ in .photo(.next) }
    )

    private static let photoRemove = CommandSpec(
        path: ["photo", "remove"],
        group: group,
        summary: "take a photo off its party, and free the room that it takes",
        arguments: [ArgumentSpec("PHOTO", .photo)],
        details: "PHOTO is an identifier, or a name or the beginning of one if only one photo has it.",
        examples: ["photo remove A.jpg"],
        build: { .photo(.remove(photo: try $0.requiredWord("PHOTO"))) }
    )

    private static let photoSave = CommandSpec(
        path: ["photo", "save"],
        group: group,
        summary: "save a photo to a file",
        arguments: [ArgumentSpec("PHOTO", .photo), ArgumentSpec("FILE", .file)],
        flags: [FlagSpec("thumbnail", "", .nothing, "save the thumbnail and not the full photo")],
        details: """
            PHOTO is an identifier, or a name or the beginning of one if only one photo has it.
            FILE may be a folder.
            """,
        examples: ["photo save A.jpg /tmp/full.jpg", "photo save A.jpg /tmp/small.jpg --thumbnail"],
        build: { arguments in
            .photo(
                .save(
                    photo: try arguments.requiredWord("PHOTO"), file: try arguments.requiredWord("FILE"),
                    isThumbnail: arguments.has("thumbnail")))
        }
    )
}
