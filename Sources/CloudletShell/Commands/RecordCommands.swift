import Cloudlet
import CommandShell
import RecordsWire

/// Commands for records of any type: public ones, or those in a zone of the person's private database.
struct RecordCommands {
    let session: CloudSession

    static let group = "Records"
    static let zone = FlagSpec(
        "zone", "ZONE", .zone, "a record in this zone of your private database, instead of a public one")

    var commands: [CommandSpec] { [use, save, show, find, delete, blame] }

    private func repository(_ zone: String?) async -> RecordRepository {
        var zone = zone
        if zone == nil { zone = await session.zone }
        let container = await session.container
        let database = zone == nil ? container.publicCloudDatabase : container.privateCloudDatabase
        return RecordRepository(database: database, zone: zone)
    }

    private var use: CommandSpec {
        CommandSpec(
            ["use"],
            group: Self.group,
            summary:
                "choose the database and zone that commands about records use without --zone",
            arguments: [ArgumentSpec("DATABASE", .database)],
            details: """
                public, which is the default; private, for your private default zone; or private/ZONE.
                It applies to `record`, `blame` and `subscribe records`; the prompt shows it.
                """,
            examples: ["use private/Notes", "use public"]
        ) { arguments in
            let word = try arguments.requiredWord("DATABASE")
            let parts = word.text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
            let zone: String?
            switch (parts[0], parts.count) {
            case ("public", 1): zone = nil
            case ("private", 1): zone = CKRecordZone.ID.defaultZoneName
            case ("private", 2) where !parts[1].isEmpty: zone = String(parts[1])
            default:
                throw ShellError.usage(
                    "`\(word.text)` is not public, private or private/ZONE", at: word.range,
                    remedy: parts.count == 1 ? "use private/\(word.text)" : "help use")
            }
            return .work {
                await session.use(zone: zone)
                let database = await session.database
                return Answer.message(
                    "commands about records use \(database)",
                    facts: [AnswerField("database", .text(database))])
            }
        }
    }

    private var save: CommandSpec {
        CommandSpec(
            ["record", "save"],
            group: Self.group,
            summary: "save fields of a record of any type without comparing versions",
            arguments: [
                ArgumentSpec("TYPE", .recordType), ArgumentSpec("NAME", .record),
                ArgumentSpec("FIELD=VALUE", .fieldValue, .any),
            ],
            flags: [
                FlagSpec("points-at", "FIELD=RECORD,…", .text, "references without an action"),
                FlagSpec(
                    "goes-with", "FIELD=RECORD,…", .text,
                    "references to owners: deleting an owner deletes the record"),
                Self.zone,
            ],
            details: """
                A number is stored as a number, any other value as text; an empty value removes the
                field. In development a new type or field is added to the schema; in production it is
                refused.
                """,
            examples: [
                "record save Room kitchen seats=6 colour=blue",
                "record save Prop hoop name=Hoop --goes-with act=trapeze",
            ]
        ) { arguments in
            let (type, name) = (try arguments.name("TYPE"), try Self.recordName(arguments))
            let (changes, zone) = (try Self.fields(arguments), arguments.text("zone"))
            return .work {
                let saved = try await repository(zone).save(type, name, changes)
                return Self.answer(saved, note: "saved \(name)")
            }
        }
    }

    private var show: CommandSpec {
        CommandSpec(
            ["record", "show"],
            group: Self.group,
            summary: "show a record with all its fields",
            arguments: [ArgumentSpec("NAME", .record)],
            flags: [Self.zone],
            examples: ["record show gala"]
        ) { arguments in
            let (name, zone) = (try arguments.name("NAME"), arguments.text("zone"))
            return .work { try await show(name, zone: zone) }
        }
    }

    private var find: CommandSpec {
        CommandSpec(
            ["record", "find"],
            group: Self.group,
            summary: "find records of a type by a condition",
            arguments: [ArgumentSpec("TYPE", .recordType), ArgumentSpec("CONDITION", .text, .optional)],
            flags: [FlagSpec("limit", "N", .number, "show N at most; 20 if not given"), Self.zone],
            details: """
                CONDITION is a predicate in the syntax of NSPredicate. The service supports a part of
                it, and refuses the rest with an error that names the supported forms.
                """,
            examples: ["record find Room 'seats > 4 AND colour = \"blue\"'"]
        ) { arguments in
            let (type, condition) = (try arguments.name("TYPE"), arguments.word("CONDITION")?.text)
            let (limit, zone) = (try arguments.count("limit") ?? 20, arguments.text("zone"))
            return .work { try await find(type, where: condition, limit: limit, zone: zone) }
        }
    }

    private func find(
        _ type: String, where condition: String?, limit: Int, zone: String?
    ) async throws -> Answer {
        do {
            let found = try await repository(zone).find(type, where: condition, limit: limit)
            return Self.answer(found.records, hasMore: found.hasMore)
        } catch let error as CKError where condition != nil && error.code == .invalidArguments {
            var shellError = ShellError(error)
            let types = (try? await session.server.recordTypes(in: await session.place)) ?? []
            let fields = types.first { $0.name == type }?.fields.map { $0.key ?? $0.name } ?? []
            let meant = Self.fields(among: fields, meantBy: condition ?? "")
            shellError.suggestions = meant
            shellError.remedy =
                "put the condition in single quotes and a text in double quotes: "
                + "record find \(type) '\(meant.first ?? "name") = \"Coffee\"'"
            throw shellError
        }
    }

    /// The fields that the unknown words of a condition may mean. Texts in the condition are left out.
    private static func fields(among fields: [String], meantBy condition: String) -> [String] {
        let words = condition.replacing(/"[^"]*"|'[^']*'/, with: "").matches(of: /[A-Za-z_]\w*/)
        let unknown = words.map { String($0.output) }.filter {
            // Words in capitals are the operators of the language.
            !fields.contains($0) && $0 != $0.uppercased()
        }
        return unknown.flatMap { DidYouMean.suggestions(for: $0, among: fields) }
    }

    private func show(_ name: String, zone: String?) async throws -> Answer {
        do {
            return Self.answer(try await repository(zone).record(named: name), note: nil)
        } catch let error as CKError where error.code == .unknownItem {
            var shellError = ShellError(error)
            shellError.remedy = Self.findingNames
            throw shellError
        }
    }

    /// The next step after a wrong record name, which is often the value of a field such as `name`.
    static let findingNames = "record find TYPE, whose first column has the names of the records"

    private var delete: CommandSpec {
        CommandSpec(
            ["record", "delete"],
            group: Self.group,
            summary: "delete a record and the records that it owns",
            arguments: [ArgumentSpec("NAME", .record)],
            flags: [Self.zone],
            examples: ["record delete gala"]
        ) { arguments in
            let (name, zone) = (try arguments.name("NAME"), arguments.text("zone"))
            return .work { try await delete(name, zone: zone) }
        }
    }

    /// Deletes a record. The service accepts the deletion of a missing record, but here it is an error,
    /// because the name is probably mistyped.
    private func delete(_ name: String, zone: String?) async throws -> Answer {
        let records = await repository(zone)
        do {
            _ = try await records.record(named: name)
        } catch CKError.unknownItem {
            let place = zone.map { " in \($0)" } ?? ""
            throw ShellError(code: "unknownItem", message: "there is no record `\(name)`\(place)")
        }
        try await records.delete(name)
        return Answer.message("deleted \(name)", facts: [AnswerField("record", .text(name))])
    }

    // MARK: Parsing fields

    /// The name of the record to save. A word like `a=1` is a field whose record has no name.
    private static func recordName(_ arguments: ParsedArguments) throws -> String {
        let word = try arguments.requiredWord("NAME")
        guard word.isQuoted || !word.text.contains("=") else {
            throw ShellError.usage(
                "NAME is missing before `\(word.text)`", at: word.range,
                remedy: "\(arguments.spec.usage); a name that contains = needs quotes")
        }
        return try arguments.name("NAME")
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
                throw ShellError.usage("a reference is FIELD=RECORD or FIELD=ZONE/RECORD", at: word.range)
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
            throw ShellError.usage("`\(word.text)` is not of the form FIELD=VALUE", at: word.range)
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
