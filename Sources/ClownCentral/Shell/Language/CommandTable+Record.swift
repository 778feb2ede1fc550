// Owns the description of the commands about records as they are.
import Cloudlet
import Foundation

extension CommandTable {
    static let recordCommands = [use, recordSave, recordShow, recordFind, recordDelete]

    private static let group = "Records"
    private static let zone = FlagSpec(
        "zone", "ZONE", .zone, "a record in that zone of your own, and not a public one")

    private static let use = CommandSpec(
        path: ["use"],
        group: group,
        summary: "choose the database and zone that commands about records look at, unless --zone names one",
        arguments: [ArgumentSpec("DATABASE", .database)],
        details: """
            public, which is where one begins; private, for the default zone of your own; or private/ZONE.
            It is for `record` and `blame`, and shows in the prompt. Parties are public, notes your own.
            """,
        examples: ["use private/Notes", "use public"],
        build: { arguments in
            let word = try arguments.requiredWord("DATABASE")
            let parts = word.text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
            switch (parts[0], parts.count) {
            case ("public", 1): return .operate(.useZone(nil))
            case ("private", 1): return .operate(.useZone(CKRecordZone.ID.defaultZoneName))
            case ("private", 2) where !parts[1].isEmpty: return .operate(.useZone(String(parts[1])))
            default:
                throw Complaint.usage(
                    "`\(word.text)` is none of public, private, private/ZONE", at: word.range,
                    remedy: parts.count == 1 ? "use private/\(word.text)" : "help use")
            }
        }
    )

    private static let recordSave = CommandSpec(
        path: ["record", "save"],
        group: group,
        summary: "write fields of a record of any type, over whatever is there",
        arguments: [
            ArgumentSpec("TYPE", .recordType), ArgumentSpec("NAME", .record()),
            ArgumentSpec("FIELD=VALUE", .field(isAssigned: true), .any),
        ],
        flags: [
            FlagSpec("points-at", "FIELD=RECORD,…", .text, "references that leave the record be"),
            FlagSpec("goes-with", "FIELD=RECORD,…", .text, "references to owners: it goes when they go"),
            zone,
        ],
        details: """
            A value that is a number is stored as one, anything else as text; nothing after the = removes the
            field. In development a new type or field joins the schema; in production it is refused.
            """,
        examples: [
            "record save Party gala guests=40 theme=circus",
            "record save Prop hoop name=Hoop --goes-with act=trapeze",
        ],
        build: { arguments in
            record(
                .save(
                    type: try arguments.name("TYPE"), name: try arguments.name("NAME"),
                    changes: try fields(arguments)), arguments)
        }
    )

    private static let recordShow = CommandSpec(
        path: ["record", "show"],
        group: group,
        summary: "show a record with all its fields",
        arguments: [ArgumentSpec("NAME", .record())],
        flags: [zone],
        examples: ["record show gala"],
        build: { record(.show(name: try $0.name("NAME")), $0) }
    )

    private static let recordFind = CommandSpec(
        path: ["record", "find"],
        group: group,
        summary: "find records of a type by a condition",
        arguments: [ArgumentSpec("TYPE", .recordType), ArgumentSpec("CONDITION", .text, .optional)],
        flags: [FlagSpec("limit", "N", .number, "show N at most; 20 if not given"), zone],
        details: """
            CONDITION is a predicate as apps write it. The service understands a part of the language; what it
            does not is refused at once, with the words that it would take.
            """,
        examples: ["record find Party 'guests > 20 AND theme = \"circus\"'"],
        build: { arguments in
            record(
                .find(
                    type: try arguments.name("TYPE"), condition: arguments.word("CONDITION")?.text,
                    limit: try arguments.count("limit") ?? 20), arguments)
        }
    )

    private static let recordDelete = CommandSpec(
        path: ["record", "delete"],
        group: group,
        summary: "delete a record, and with it what it owns",
        arguments: [ArgumentSpec("NAME", .record())],
        flags: [zone],
        examples: ["record delete gala"],
        build: { record(.delete(name: try $0.name("NAME")), $0) }
    )

    private static func record(_ deed: RecordCommand.Deed, _ arguments: ParsedArguments) -> Command {
        .record(RecordCommand(deed: deed, zone: arguments.text("zone")))
    }

    private static func fields(_ arguments: ParsedArguments) throws -> [RecordRepository.Change] {
        let plain = try arguments.words(from: "FIELD=VALUE").map(change)
        let pointing = try references(arguments.flags["points-at"], isOwner: false)
        return plain + pointing + (try references(arguments.flags["goes-with"], isOwner: true))
    }

    private static func references(
        _ word: Word?, isOwner: Bool
    ) throws -> [RecordRepository.Change] {
        guard let word else { return [] }
        return try word.text.split(separator: ",").map { part in
            let sides = part.split(separator: "=").map(String.init)
            let target = sides.last?.split(separator: "/").map(String.init) ?? []
            guard sides.count == 2, (1...2).contains(target.count) else {
                throw Complaint.usage("a reference is FIELD=RECORD or FIELD=ZONE/RECORD", at: word.range)
            }
            let zone = target.count == 2 ? target[0] : nil
            return RecordRepository.Change(
                field: sides[0],
                value: .reference(record: target[target.count - 1], zone: zone, isOwner: isOwner))
        }
    }

    private static func change(_ word: Word) throws -> RecordRepository.Change {
        let parts = word.text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty else {
            throw Complaint.usage("`\(word.text)` is no field with its value", at: word.range)
        }
        let text = String(parts[1])
        let value: RecordRepository.Change.Value? =
            if text.isEmpty {
                nil
            } else if let number = Int64(text) {
                .whole(number)
            } else if let number = Double(text), number.isFinite {
                .real(number)
            } else {
                .text(text)
            }
        return RecordRepository.Change(field: String(parts[0]), value: value)
    }
}
