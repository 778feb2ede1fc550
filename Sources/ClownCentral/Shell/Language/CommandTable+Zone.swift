// Owns the description of the commands about zones of the private database.
import Cloudlet
import Foundation

extension CommandTable {
    static let zoneCommands = [zoneFill, zoneFetch, zoneChanges, zonePurge, zoneReset]

    private static let group = "Zones"

    private static let zoneFill = CommandSpec(
        path: ["zone", "fill"],
        group: group,
        summary: "make a zone with N small records",
        arguments: [ArgumentSpec("ZONE", .zone), ArgumentSpec("N", .number)],
        flags: [FlagSpec("atomic", "", .nothing, "all of them or none, in one batch")],
        examples: ["zone fill Jokes 100", "zone fill Jokes 3 --atomic"],
        build: { arguments in
            let word = try arguments.requiredWord("N")
            guard let count = Int(word.text), (1...10_000).contains(count) else {
                throw Complaint.usage("N is a whole number from 1 to 10000", at: word.range)
            }
            return .zone(
                .fill(zone: try arguments.name("ZONE"), count: count, isAtomic: arguments.has("atomic")))
        }
    )

    private static let zoneFetch = CommandSpec(
        path: ["zone", "fetch"],
        group: group,
        summary: "fetch what changed in a zone since the last fetch",
        arguments: [ArgumentSpec("ZONE", .zone)],
        flags: [
            FlagSpec("page", "N", .number, "records in a page; 100 if not given"),
            FlagSpec("keep", "FILE", .file, "keep each page with its token there, for the next process"),
        ],
        details: """
            Each page is kept with its token, until this shell ends or, with --keep, in the file. A fetch \
            that is broken off goes on from the last token.
            """,
        examples: ["zone fetch Jokes --page 20", "zone fetch Jokes --keep jokes.json"],
        build: { arguments in
            let pageSize = try arguments.count("page") ?? 100
            let file = arguments.flags["keep"]
            return .zone(.fetch(zone: try arguments.name("ZONE"), pageSize: pageSize, file: file))
        }
    )

    private static let zoneChanges = CommandSpec(
        path: ["zone", "changes"],
        group: group,
        summary: "fetch which zones changed or went since this device asked last, and why they went",
        examples: ["zone changes"],
        build: { _ in .zone(.changes) }
    )

    private static let zonePurge = CommandSpec(
        path: ["zone", "purge"],
        group: group,
        summary: "delete the data of a zone as a person does in the settings of a device",
        arguments: [ArgumentSpec("ZONE", .zone)],
        details: "Development servers only. Devices hear the reason: they must not upload the data again.",
        examples: ["zone purge Jokes"],
        build: { .zone(.remove(zone: try $0.name("ZONE"), reason: .purged)) }
    )

    private static let zoneReset = CommandSpec(
        path: ["zone", "reset"],
        group: group,
        summary: "reset the encrypted data of a zone as a person does in the settings of a device",
        arguments: [ArgumentSpec("ZONE", .zone)],
        details: "Development servers only. Devices hear the reason: what they have may be uploaded again.",
        examples: ["zone reset Jokes"],
        build: { .zone(.remove(zone: try $0.name("ZONE"), reason: .encryptedDataReset)) }
    )
}
