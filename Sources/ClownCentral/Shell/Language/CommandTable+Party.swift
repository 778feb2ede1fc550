// Owns the description of the commands about parties.
import Foundation

extension CommandTable {
    static let partyCommands = [partyCreate, partyList, partyShow, partyEdit, partyDelete]

    private static let group = "Parties"

    private static let partyCreate = CommandSpec(
        path: ["party", "create"],
        group: group,
        summary: "make a party that everybody can find",
        arguments: [ArgumentSpec("NAME", .text)],
        flags: [
            FlagSpec("place", "TEXT", .text, "where it is, in words"),
            FlagSpec("at", "LAT,LON", .coordinate, "where it is, in degrees"),
            FlagSpec("starts", "WHEN", .moment, "when it begins"),
            FlagSpec("ends", "WHEN", .moment, "when it is over"),
            FlagSpec("summary", "TEXT", .text, "what it is about"),
        ],
        details: momentHelp,
        examples: [
            "party create Coffee --at 37.78,-122.40 --starts tomorrow",
            "party create \"Balloon Ball\" --place \"Pier 7\" --starts 2026-07-04T18:00",
        ],
        build: { arguments in
            let draft = PartyDraft(
                name: try arguments.name("NAME"),
                summary: arguments.text("summary"),
                place: arguments.text("place"),
                location: try arguments.coordinate("at"),
                starts: try arguments.moment("starts"),
                ends: try arguments.moment("ends")
            )
            if let starts = draft.starts, let ends = draft.ends, ends < starts {
                throw Complaint.usage(
                    "a party cannot end before it starts", at: arguments.flags["ends"]?.range)
            }
            return .partyCreate(draft)
        }
    )

    private static let partyList = CommandSpec(
        path: ["party", "list"],
        group: group,
        summary: "find parties by place, date and words",
        flags: [
            FlagSpec("near", "LAT,LON", .coordinate, "count distances from here"),
            FlagSpec("within", "DISTANCE", .distance, "only parties this near"),
            FlagSpec("after", "WHEN", .moment, "only parties that start then or later"),
            FlagSpec("search", "TEXT", .text, "only parties whose texts hold all these words"),
            FlagSpec("sort", "date|distance|name", .choice(["date", "distance", "name"]), "the order"),
            FlagSpec("limit", "N", .number, "how many at most; \(PartyFilter.defaultLimit) if not given"),
        ],
        details: """
            A DISTANCE is a number and its unit: 500m, 5km, 3mi.
            The order is by distance with --near, else by date.
            \(momentHelp)
            """,
        examples: [
            "party list --near 37.7842,-122.4016 --within 5km --limit 10",
            "party list --search \"juggling fire\" --after now",
        ],
        build: { .partyList(try filter($0)) }
    )

    private static let partyShow = CommandSpec(
        path: ["party", "show"],
        group: group,
        summary: "show one party with its clowns and the number of its photos",
        arguments: [ArgumentSpec("PARTY", .party)],
        details: partyHelp,
        examples: ["party show Coffee", "party show \"Balloon B\""],
        build: { .partyShow(party: try $0.requiredWord("PARTY")) }
    )

    private static let partyEdit = CommandSpec(
        path: ["party", "edit"],
        group: group,
        summary: "change some fields of a party",
        arguments: [ArgumentSpec("PARTY", .party), ArgumentSpec("FIELD=VALUE", .change, .many)],
        details: """
            The fields are \(PartyChange.fieldNames.joined(separator: ", ")).
            Nothing after the = clears a field.
            Only the fields that are named are sent, and only if nobody changed the party in the meantime.
            \(partyHelp)
            """,
        examples: ["party edit Coffee place=\"Pier 7\" starts=+2d", "party edit Coffee summary="],
        build: { arguments in
            .partyEdit(
                party: try arguments.requiredWord("PARTY"),
                changes: try arguments.words(from: "FIELD=VALUE").map {
                    try PartyChange.parse($0, now: arguments.now)
                }
            )
        }
    )

    private static let partyDelete = CommandSpec(
        path: ["party", "delete"],
        group: group,
        summary: "delete a party, and with it its clowns and photos",
        arguments: [ArgumentSpec("PARTY", .party)],
        flags: [FlagSpec("yes", "", .nothing, "do it without asking")],
        details: """
            At a terminal it asks first. A script is not asked.
            \(partyHelp)
            """,
        examples: ["party delete Coffee", "party delete Coffee --yes"],
        build: { .partyDelete(party: try $0.requiredWord("PARTY"), isSure: $0.has("yes")) }
    )

    private static func filter(_ arguments: ParsedArguments) throws -> PartyFilter {
        var filter = PartyFilter()
        filter.near = try arguments.coordinate("near")
        filter.within = try arguments.distance("within")
        filter.after = try arguments.moment("after")
        filter.search = arguments.text("search")
        filter.order = try arguments.choice("sort") ?? (filter.near == nil ? .date : .distance)
        filter.limit = try arguments.count("limit") ?? PartyFilter.defaultLimit
        if filter.near == nil, let within = arguments.flags["within"] {
            throw Complaint.usage("--within needs --near LAT,LON to count from", at: within.range)
        }
        if filter.near == nil, filter.order == .distance {
            let message = "--sort distance needs --near LAT,LON to count from"
            throw Complaint.usage(message, at: arguments.flags["sort"]?.range)
        }
        return filter
    }

    static let momentHelp = """
        WHEN is 2026-07-04, 2026-07-04T18:00, now, today, tomorrow, +2d, +3h or +30m.
        Without a zone it is UTC.
        """

    static let partyHelp = """
        PARTY is an identifier, or a name or the beginning of one if only one party has it.
        Capitals matter only where they tell two parties apart.
        """
}
