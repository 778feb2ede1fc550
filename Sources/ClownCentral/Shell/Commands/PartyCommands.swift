import Cloudlet
import CloudletShell
import CommandShell
import Foundation

/// The commands that create, find, change and delete parties.
struct PartyCommands {
    let app: AppSession

    static let group = "Parties"

    var commands: [CommandSpec] {
        [create.needingAccount(), list, show] + [edit, delete].needingAccount()
    }

    static let momentHelp = """
        WHEN is 2026-07-04, 2026-07-04T18:00, now, today, tomorrow, +2d, +3h or +30m.
        Without a zone it is UTC.
        """

    static let partyHelp = """
        PARTY is an identifier, a name, or the beginning of a name that only one party has.
        Upper and lower case matter only if two names differ in nothing else.
        """

    // MARK: Making

    private var create: CommandSpec {
        CommandSpec(
            ["party", "create"],
            group: Self.group,
            summary: "create a party that everybody can find",
            arguments: [ArgumentSpec("NAME", .text)],
            flags: [
                FlagSpec("place", "TEXT", .text, "where it is, in words"),
                FlagSpec("at", "LAT,LON", .place, "where it is, in degrees"),
                FlagSpec("starts", "WHEN", .moment, "when it begins"),
                FlagSpec("ends", "WHEN", .moment, "when it is over"),
                FlagSpec("summary", "TEXT", .text, "what it is about"),
            ],
            details: Self.momentHelp,
            examples: [
                "party create Coffee --at 37.78,-122.40 --starts tomorrow",
                "party create \"Balloon Ball\" --place \"Pier 7\" --starts 2026-07-04T18:00",
            ]
        ) { arguments in
            let draft = try Self.draft(arguments)
            return .work {
                let id = await app.cloud.makeIdentifier("party")
                let party = try await app.parties.create(draft.party(id: id))
                return Answer.party(party, note: "created \(party.name)")
            }
        }
    }

    static func draft(_ arguments: ParsedArguments) throws -> PartyDraft {
        let draft = PartyDraft(
            name: try arguments.name("NAME"),
            summary: arguments.text("summary"),
            place: arguments.text("place"),
            location: try arguments.coordinate("at"),
            starts: try arguments.moment("starts"),
            ends: try arguments.moment("ends")
        )
        if let starts = draft.starts, let ends = draft.ends, ends < starts {
            throw ShellError.usage("a party cannot end before it starts", at: arguments.flags["ends"]?.range)
        }
        return draft
    }

    // MARK: Finding

    private static let orders = PartyFilter.Order.allCases.map(\.rawValue)

    private var list: CommandSpec {
        CommandSpec(
            ["party", "list"],
            group: Self.group,
            summary: "find parties by place, date and words",
            flags: [
                FlagSpec(
                    "near", "LAT,LON", .place, "only parties with a place, and their distance from here"),
                FlagSpec("within", "DISTANCE", .distance, "only parties within this distance"),
                FlagSpec("after", "WHEN", .moment, "only parties that start then or later"),
                FlagSpec("search", "TEXT", .text, "only parties whose texts contain all these words"),
                FlagSpec(
                    "sort", "ORDER", .choice(Self.orders), "the order: upcoming, date, distance or name"),
                FlagSpec("limit", "N", .number, "N at most; \(PartyFilter.defaultLimit) if not given"),
            ],
            details: """
                A DISTANCE is a number and its unit: 500m, 5km, 3mi.
                The order is by distance with --near, otherwise upcoming: the next party first, and the \
                past parties after the future ones. By date, the earliest party is the first.
                \(Self.momentHelp)
                """,
            examples: [
                "party list --near 37.7842,-122.4016 --within 5km --limit 10",
                "party list --search \"juggling fire\" --after now",
            ]
        ) { arguments in
            let filter = try Self.filter(arguments)
            return .work { try await list(filter) }
        }
    }

    static func filter(_ arguments: ParsedArguments) throws -> PartyFilter {
        var filter = PartyFilter()
        filter.near = try arguments.coordinate("near")
        filter.within = try arguments.distance("within")
        filter.after = try arguments.moment("after")
        filter.search = arguments.text("search")
        filter.order = try arguments.choice("sort") ?? (filter.near == nil ? .upcoming : .distance)
        filter.limit = try arguments.count("limit") ?? PartyFilter.defaultLimit
        if filter.near == nil, let within = arguments.flags["within"] {
            throw ShellError.usage("--within needs --near LAT,LON to count from", at: within.range)
        }
        if filter.near == nil, filter.order == .distance {
            let message = "--sort distance needs --near LAT,LON to count from"
            throw ShellError.usage(message, at: arguments.flags["sort"]?.range)
        }
        return filter
    }

    private func list(_ filter: PartyFilter) async throws -> Answer {
        var filter = filter
        if let limit = await app.cloud.context.profile.listLimit {
            filter.limit = min(filter.limit, limit)
        }
        let found = try await app.parties.list(filter, now: app.environment.now())
        return Answer.parties(found.parties.models, filter: filter, hasMore: found.hasMore)
            .skipping(found.parties.unreadable)
    }

    private var show: CommandSpec {
        CommandSpec(
            ["party", "show"],
            group: Self.group,
            summary: "show one party with its clowns and the number of its photos",
            arguments: [ArgumentSpec("PARTY", .party)],
            details: Self.partyHelp,
            examples: ["party show Coffee", "party show \"Balloon B\""]
        ) { arguments in
            let party = try arguments.requiredWord("PARTY")
            return .work { try await show(party) }
        }
    }

    private func show(_ word: Word) async throws -> Answer {
        let party = try await app.party(word)
        let database = await app.publicDatabase
        let clowns = try await app.clowns.list(party: party.id, limit: Batch.maximumRecords).clowns
        let photos = try await count(Photo.recordType, Photo.Key.party, of: party)
        let attendees = try await AttendeeRepository(database: database).list(party: party.id)
        let record = try await app.fetchAndStore(party.id, from: database)
        var answer = Answer.party(party, note: nil)
        answer.entries[0].fields += [
            AnswerField(
                "clowns",
                .texts(clowns.models.map { [$0.name, $0.act].compactMap { $0 }.joined(separator: ": ") })),
            AnswerField("attendees", .texts(attendees.models.map(\.name))),
            AnswerField("guests", .texts(AttendeeRepository.guests(of: record))),
            AnswerField("photos", .count(photos)),
        ]
        return answer.skipping(clowns.unreadable + attendees.unreadable)
    }

    // MARK: Changing

    private var edit: CommandSpec {
        CommandSpec(
            ["party", "edit"],
            group: Self.group,
            summary: "change some fields of a party",
            arguments: [
                ArgumentSpec("PARTY", .party),
                ArgumentSpec("FIELD=VALUE", .choice(PartyChange.fieldNames.map { "\($0)=" }), .many),
            ],
            details: """
                The fields are \(PartyChange.fieldNames.joined(separator: ", ")).
                An empty value clears a field.
                Only the named fields are sent, and only if nobody has changed the party in the meantime.
                \(Self.partyHelp)
                """,
            examples: ["party edit Coffee place=\"Pier 7\" starts=+2d", "party edit Coffee summary="]
        ) { arguments in
            let party = try arguments.requiredWord("PARTY")
            let changes = try arguments.words(from: "FIELD=VALUE").map {
                try PartyChange.parse($0, now: arguments.now)
            }
            return .work { try await edit(party, changes) }
        }
    }

    private func edit(_ word: Word, _ changes: [PartyChange]) async throws -> Answer {
        var planned = try await app.party(word)
        for change in changes { change.apply(to: &planned) }
        if let starts = planned.starts, let ends = planned.ends, ends < starts {
            throw ShellError.usage("a party cannot end before it starts")
        }
        let edited = try await app.parties.edit(planned.id, changes)
        return Answer.party(edited, note: "changed \(edited.name)")
    }

    private var delete: CommandSpec {
        CommandSpec(
            ["party", "delete"],
            group: Self.group,
            summary: "delete a party with its clowns, attendees and photos",
            arguments: [ArgumentSpec("PARTY", .party)],
            flags: [FlagSpec("yes", "", .nothing, "do not ask")],
            details: """
                At a terminal, the command asks first. In a script, it does not ask.
                \(Self.partyHelp)
                """,
            examples: ["party delete Coffee", "party delete Coffee --yes"]
        ) { arguments in
            let (party, isSure) = (try arguments.requiredWord("PARTY"), arguments.has("yes"))
            return .work { try await delete(party, isSure: isSure) }
        }
    }

    private func delete(_ word: Word, isSure: Bool) async throws -> Answer {
        let party = try await app.party(word)
        let clowns = try await count(Clown.recordType, Clown.Key.party, of: party)
        let photos = try await count(Photo.recordType, Photo.Key.party, of: party)
        let attendances = try await count(Attendee.recordType, Attendee.Key.party, of: party)
        let with = Self.dependents([(clowns, "clown"), (photos, "photo"), (attendances, "attendance")])
        guard try app.environment.isConfirmed("delete \(party.name)\(with)?", isSure: isSure) else {
            return Answer.message("nothing was deleted")
        }
        let tree = try await PartyTree.read(party.id, from: await app.publicDatabase)
        try await app.parties.delete(party.id)
        await app.setUndo(of: party.name, restoring: tree)
        await app.forgetPhotos(of: party.id)
        let fields = [
            AnswerField("id", .text(party.id)), AnswerField("name", .text(party.name)),
            AnswerField("clowns", .count(clowns)), AnswerField("photos", .count(photos)),
            AnswerField("attendances", .count(attendances)),
        ]
        return Answer(
            form: .record,
            entries: [Entry(fields)],
            notes: ["deleted \(party.name)\(with)"]
        )
    }

    /// The records that are deleted with a party, for example ` and with it 2 clowns, 1 photo and 3
    /// attendances`; empty if there are none.
    private static func dependents(_ counts: [(number: Int, noun: String)]) -> String {
        let parts = counts.filter { $0.number > 0 }.map { Answer.counted($0.number, $0.noun) }
        guard let last = parts.last else { return "" }
        let others = parts.dropLast().joined(separator: ", ")
        return " and with it " + (others.isEmpty ? last : "\(others) and \(last)")
    }

    private func count(
        _ type: CKRecord.RecordType, _ key: CKRecord.FieldKey, of party: Party
    ) async throws -> Int {
        try await BackReference.count(type, key, to: party.id, in: await app.publicDatabase)
    }

    // MARK: Subscribing

    var subscribe: CommandSpec {
        CommandSpec(
            ["subscribe", "parties"],
            group: "Pushes",
            summary: "get pushes when a party is created",
            flags: [
                FlagSpec("future", "", .nothing, "only for parties that start after this moment"),
                FlagSpec("once", "", .nothing, "only for the first such party"),
            ] + PushStyle.flags,
            details: """
                The server evaluates the condition after every save, so that devices need not poll.
                """,
            examples: ["subscribe parties --future --text 'Party time'"]
        ) { arguments in
            let (isFuture, once) = (arguments.has("future"), arguments.has("once"))
            let style = PushStyle(arguments)
            return .work { try await subscribe(isFuture: isFuture, once: once, style) }
        }
    }

    /// Saves the subscription. The server rejects it while the record type is unknown, that is, until the
    /// first party is saved.
    private func subscribe(isFuture: Bool, once: Bool, _ style: PushStyle) async throws -> Answer {
        let moment = isFuture ? app.environment.now() : nil
        do {
            return .subscribed(
                try await app.parties.subscribe(after: moment, once: once, showing: style.info))
        } catch let error as CKError where error.code == .unknownItem {
            var shellError = ShellError(error)
            shellError.remedy = "party create \"Balloon Ball\" --at 37.78,-122.40, then repeat the command"
            throw shellError
        }
    }
}
