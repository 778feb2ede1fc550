// Owns the description of the commands about who is asking, from where, and with which data.
import Foundation

extension CommandTable {
    static let worldCommands = [actAs, onDevice, signOut, seed]

    private static let group = "World"

    private static let actAs = CommandSpec(
        path: ["as"],
        group: group,
        summary: "sign in as a person",
        arguments: [ArgumentSpec("PERSON", .person)],
        details: "In the development environment a name is enough to sign in; a new name is a new person.",
        examples: ["as alice"],
        build: { .actAs(person: try $0.name("PERSON")) }
    )

    private static let onDevice = CommandSpec(
        path: ["on"],
        group: group,
        summary: "use another device",
        arguments: [ArgumentSpec("DEVICE", .device)],
        flags: [
            FlagSpec(
                "profile", "KIND", .choice(DeviceProfile.allCases.map(\.rawValue)),
                "what kind of device it is from now on")
        ],
        details: "A watch has room for short lists and thumbnails, and for no full photos.",
        examples: ["on phone", "on wrist --profile watch"],
        build: { .useDevice(try $0.name("DEVICE"), profile: try $0.choice("profile")) }
    )

    private static let signOut = CommandSpec(
        path: ["sign-out"],
        group: group,
        summary: "go on without an account: reading works, writing does not",
        examples: ["sign-out"],
        build: { _ in .signOut }
    )

    private static let seed = CommandSpec(
        path: ["seed"],
        group: group,
        summary: "fill the database with parties and clowns to look at",
        arguments: [ArgumentSpec("SET", .seedSet, .optional)],
        details: "Signs in as a person of its own for the time, if nobody is signed in.",
        examples: ["seed"],
        build: { .seed(set: $0.word("SET")) }
    )
}
