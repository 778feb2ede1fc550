// Owns the description of the commands about accounts and about finding people.
import CommandText
import Foundation

extension CommandTable {
    static let peopleCommands = [signIn, profile, discoverable, contactAdd, friends, discover]

    private static let group = "People"

    private static let signIn = CommandSpec(
        path: ["sign-in"],
        group: group,
        summary: "sign in with a password",
        arguments: [ArgumentSpec("PERSON", .person)],
        flags: [
            FlagSpec("password-file", "FILE", .file, "read the password from the file's first line"),
            FlagSpec("stay", "", .nothing, "stay signed in for two weeks"),
        ],
        details: """
            PERSON is a name or an e-mail address. The password comes from the file, else from the variable
            CLOUDLET_PASSWORD, else it is asked for at the terminal. Development servers let people in who
            have none. The app's token, where the server wants one, is --api-token of the command line.
            """,
        examples: ["sign-in paul", "sign-in paul@example.org --password-file secret.txt"],
        build: { arguments in
            .people(
                .signIn(
                    person: try arguments.name("PERSON"), passwordFile: arguments.flags["password-file"],
                    staysSignedIn: arguments.has("stay")))
        }
    )

    private static let profile = CommandSpec(
        path: ["profile"],
        group: group,
        summary: "say who you are: addresses and names of your account",
        arguments: [ArgumentSpec("FIELD=VALUE", .choice(profileFields.map { $0 + "=" }), .many)],
        details: """
            Fields: \(profileFields.joined(separator: ", ")). Stands for the settings of an account;
            development servers only. Others see nothing of it until you let them find you.
            """,
        examples: ["profile email=bob@example.org given=Bob family=Weiß"],
        build: { arguments in
            .people(.profile(try profile(arguments.words(from: "FIELD=VALUE"))))
        }
    )

    private static let profileFields = ["email", "phone", "given", "family", "password"]

    private static func profile(_ words: [Word]) throws -> [String: String] {
        var fields: [String: String] = [:]
        for word in words {
            let parts = word.text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts[0])
            guard parts.count == 2, profileFields.contains(name) else {
                throw Complaint.usage(
                    "`\(word.text)` is no FIELD=VALUE", at: word.range,
                    suggestions: DidYouMean.suggestions(for: name, among: profileFields).map { $0 + "=" },
                    remedy: "profile email=you@example.org")
            }
            fields[name] = String(parts[1])
        }
        return fields
    }

    private static let discoverable = CommandSpec(
        path: ["discoverable"],
        group: group,
        summary: "whether others who use the app may find you",
        arguments: [ArgumentSpec("WHAT", .choice(["ask", "yes", "no", "show"]), .optional)],
        flags: [FlagSpec("answer", "yes|no", .choice(["yes", "no"]), "with ask: what the person says")],
        details: """
            `ask` is what the app does: the person is asked once, and the answer is kept. `yes` and `no` are
            what the person does later, in the settings. `show`, or nothing, tells what was said.
            """,
        examples: ["discoverable ask --answer yes", "discoverable no"],
        build: { arguments in
            let word = arguments.word("WHAT")
            switch word?.text ?? "show" {
            case "ask": return .people(.askDiscoverable(answer: try answer(arguments.flags["answer"])))
            case "yes": return .people(.setDiscoverable(true))
            case "no": return .people(.setDiscoverable(false))
            case "show": return .people(.showDiscoverable)
            case let other:
                throw Complaint.usage("`\(other)` is none of ask, yes, no, show", at: word?.range)
            }
        }
    )

    private static func answer(_ word: Word?) throws -> Bool? {
        guard let word else { return nil }
        if word.text == "yes" { return true }
        if word.text == "no" { return false }
        throw Complaint.usage("an answer is yes or no", at: word.range)
    }

    private static let contactAdd = CommandSpec(
        path: ["contact", "add"],
        group: group,
        summary: "put somebody into the address book of your devices",
        arguments: [ArgumentSpec("NAME", .text), ArgumentSpec("ADDRESS", .text, .many)],
        details: "Addresses are e-mail addresses, and phone numbers that begin with + and their country.",
        examples: ["contact add \"Uncle Bob\" bob@example.org +442079460018"],
        build: { arguments in
            .people(
                .addContact(
                    name: try arguments.name("NAME"),
                    addresses: arguments.words(from: "ADDRESS").map(\.text)))
        }
    )

    private static let friends = CommandSpec(
        path: ["friends"],
        group: group,
        summary: "find those of the address book who use the app and let others find them",
        details: "The app does not see the address book: hashes of its addresses are all that leaves it.",
        examples: ["friends"],
        build: { _ in .people(.friends) }
    )

    private static let discover = CommandSpec(
        path: ["discover"],
        group: group,
        summary: "find somebody by e-mail address, phone number or user record name",
        arguments: [ArgumentSpec("WHOM", .text)],
        examples: ["discover bob@example.org"],
        build: { .people(.discover(try $0.name("WHOM"))) }
    )
}
