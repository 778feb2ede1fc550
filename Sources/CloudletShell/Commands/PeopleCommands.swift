import Cloudlet
import CommandShell
import Foundation
import RecordsWire

/// Commands for signing in with a password, and for finding people.
struct PeopleCommands {
    let session: CloudSession
    let names: ProgramNames

    static let group = "People and devices"

    var commands: [CommandSpec] {
        [signIn] + [profile, discoverable, contactAdd, friends, discover].needingAccount()
    }

    // MARK: Signing in

    private var signIn: CommandSpec {
        CommandSpec(
            ["sign-in"],
            group: Self.group,
            summary: "sign in with a password",
            arguments: [ArgumentSpec("PERSON", .person)],
            flags: [
                FlagSpec("password-file", "FILE", .file, "read the password from the file's first line"),
                FlagSpec("stay", "", .nothing, "stay signed in for two weeks"),
            ],
            details: """
                PERSON is a name or an e-mail address. The password comes from the file, otherwise
                from the variable CLOUDLET_PASSWORD, otherwise from a question at the terminal. On
                development servers, people without a password can sign in; other servers get no
                request without a password. If the server requires an app's token, pass --api-token
                on the command line. If the server cannot be reached, nothing changes; to use the
                data on this device: as PERSON.
                """,
            examples: ["sign-in paul", "sign-in paul@example.org --password-file secret.txt"]
        ) { arguments in
            let (person, file) = (try arguments.name("PERSON"), arguments.flags["password-file"])
            let stays = arguments.has("stay")
            return .work { try await signIn(person, passwordFile: file, staysSignedIn: stays) }
        }
    }

    private func signIn(
        _ person: String, passwordFile: Word?, staysSignedIn: Bool
    ) async throws -> Answer {
        let context = await session.context
        let (server, environment) = (session.server, session.environment)
        let account = CloudAccount()
        let container = server.container(in: context.place, account, device: context.device)
        var password = try passwordFile.map(firstLine) ?? environment.password
        // A request without a password would be an attempt that the person did not make.
        if password == nil, try await server.requiresPassword(on: context.device) {
            password = try askForPassword(of: person)
        }
        do {
            try await account.signIn(
                as: person, password: password, to: container, staysSignedIn: staysSignedIn)
        } catch CKError.notAuthenticated where password == nil {
            try await account.signIn(
                as: person, password: try askForPassword(of: person), to: container,
                staysSignedIn: staysSignedIn)
        }
        await session.enter(CloudSession.Account(person: person, session: account))
        // The person is signed in, even if the network fails from here on.
        let status = try? await container.accountStatus()
        let fields = [
            AnswerField("person", .text(person)),
            AnswerField("account", .text(status.map { "\($0)" } ?? "unknown")),
            AnswerField("device", .text(context.device)),
        ]
        return Answer(form: .record, entries: [Entry(fields)], notes: ["signed in as \(person)"])
    }

    /// Asks for the password at the terminal. The question names the server, so that the person sees where
    /// the password is sent.
    private func askForPassword(of person: String) throws -> String {
        let place = session.server.isEmbedded ? "" : " at \(session.server.description)"
        let password = session.environment.ask("password of \(person)\(place): ", true)
        if let password, !password.isEmpty { return password }
        throw ShellError(
            code: "notAuthenticated", message: "signing in as \(person) requires a password",
            remedy: "sign-in \(person) --password-file FILE", exit: .notSignedIn)
    }

    private func firstLine(_ file: Word) throws -> String {
        guard let text = try? String(contentsOf: session.environment.file(file), encoding: .utf8) else {
            throw ShellError.usage("the file `\(file.text)` cannot be read", at: file.range)
        }
        return String(text.prefix { !$0.isNewline })
    }

    private var profile: CommandSpec {
        CommandSpec(
            ["profile"],
            group: Self.group,
            summary: "show or set the addresses and names of your account",
            arguments: [ArgumentSpec("FIELD=VALUE", .choice(Self.profileFields.map { $0 + "=" }), .any)],
            details: """
                Fields: \(Self.profileFields.joined(separator: ", ")). It does what people do in
                the account settings of a device; development servers only. Other people see none of the
                fields until you let them find you. Without a field, it shows your account.
                """,
            examples: ["profile email=bob@example.org given=Bob family=Weiß", "profile"]
        ) { arguments in
            let fields = try Self.profile(arguments.words(from: "FIELD=VALUE"))
            return .work {
                let container = await session.place.container
                let account = try await session.server.changeAccount(
                    try await session.signedIn().session, in: container, to: fields)
                if fields.isEmpty { return Self.profile(of: account) }
                let facts = fields.keys.sorted().filter { $0 != "password" }.map {
                    AnswerField($0, Value(fields[$0]))
                }
                return Answer.message("your account is changed", facts: facts)
            }
        }
    }

    private static let profileFields = ["email", "phone", "given", "family", "password"]

    private static func profile(of account: OwnAccount) -> Answer {
        let values: [(name: String, value: String?)] = [
            ("email", account.email), ("phone", account.phone), ("given", account.givenName),
            ("family", account.familyName),
        ]
        let fields = values.compactMap { field in field.value.map { AnswerField(field.name, .text($0)) } }
        let advice = "set a field: profile email=you@example.org"
        if fields.isEmpty { return Answer.message("your account has no address and no names; \(advice)") }
        return Answer(form: .record, entries: [Entry(fields)], notes: [advice])
    }

    private static func profile(_ words: [Word]) throws -> [String: String] {
        var fields: [String: String] = [:]
        for word in words {
            let parts = word.text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts[0])
            guard parts.count == 2, profileFields.contains(name) else {
                throw ShellError.usage(
                    "`\(word.text)` is not of the form FIELD=VALUE", at: word.range,
                    suggestions: DidYouMean.suggestions(for: name, among: profileFields).map { $0 + "=" },
                    remedy: "profile email=you@example.org")
            }
            fields[name] = String(parts[1])
        }
        return fields
    }

    // MARK: Discoverability

    private var discoverable: CommandSpec {
        CommandSpec(
            ["discoverable"],
            group: Self.group,
            summary: "set whether other users of the app may find you",
            arguments: [ArgumentSpec("WHAT", .choice(["ask", "yes", "no", "show"]), .optional)],
            flags: [FlagSpec("answer", "yes|no", .choice(["yes", "no"]), "with ask: the person's answer")],
            details: """
                With `ask`, the app asks the person once and keeps the answer. With `yes` and `no`, the
                person changes the answer later, in the settings. `show`, or no argument, shows the
                current answer.
                """,
            examples: ["discoverable ask --answer yes", "discoverable no"]
        ) { arguments in
            let word = arguments.word("WHAT")
            switch word?.text ?? "show" {
            case "ask":
                let answer = try Self.answer(arguments.flags["answer"])
                return .work { try await askDiscoverable(answer) }
            case "yes": return .work { try await setDiscoverable(true) }
            case "no": return .work { try await setDiscoverable(false) }
            case "show":
                return .work {
                    let container = await session.container
                    return Self.discoverable(
                        try await container.applicationPermissionStatus(for: .userDiscoverability))
                }
            case let other:
                throw ShellError.usage(
                    "`discoverable` does not take `\(other)`", at: word?.range,
                    remedy: "use ask, yes, no or show")
            }
        }
    }

    private static func answer(_ word: Word?) throws -> Bool? {
        guard let word else { return nil }
        if word.text == "yes" { return true }
        if word.text == "no" { return false }
        throw ShellError.usage("an answer is yes or no", at: word.range)
    }

    private func askDiscoverable(_ answer: Bool?) async throws -> Answer {
        let (environment, title) = (session.environment, names.title)
        var connection = await session.connection
        connection.permissionPrompt = { _, _ in
            if let answer { return answer }
            let said = environment.ask("May others who use \(title) find you? [y/N] ", false)
            return said?.lowercased().hasPrefix("y") == true
        }
        let container = CKContainer(identifier: await session.place.container, connection: connection)
        return Self.discoverable(try await container.requestApplicationPermission(.userDiscoverability))
    }

    private func setDiscoverable(_ isGranted: Bool) async throws -> Answer {
        try await session.connection.setUserDiscoverability(
            isGranted, inContainer: await session.place.container)
        return Self.discoverable(isGranted ? .granted : .denied)
    }

    private static func discoverable(_ status: CKContainer.ApplicationPermissionStatus) -> Answer {
        let word =
            switch status {
            case .granted: "yes"
            case .denied: "no"
            default: "never asked"
            }
        return Answer.message(
            "others may find you: \(word)", facts: [AnswerField("discoverable", .text(word))])
    }

    // MARK: Discovery

    private var contactAdd: CommandSpec {
        CommandSpec(
            ["contact", "add"],
            group: Self.group,
            summary: "add a person to the address book of your devices",
            arguments: [ArgumentSpec("NAME", .text), ArgumentSpec("ADDRESS", .text, .many)],
            details:
                "Addresses are e-mail addresses, and phone numbers that begin with + and the country code.",
            examples: ["contact add \"Uncle Bob\" bob@example.org +442079460018"]
        ) { arguments in
            let (name, addresses) = (
                try arguments.name("NAME"), arguments.words(from: "ADDRESS").map(\.text)
            )
            return .work {
                let contact = CloudContact(
                    identifier: name, emailAddresses: addresses.filter { !$0.hasPrefix("+") },
                    phoneNumbers: addresses.filter { $0.hasPrefix("+") })
                let count = try await session.add(contact)
                return Answer.message(
                    "the address book has \(Answer.counted(count, "contact"))",
                    facts: [AnswerField("contacts", .count(count))])
            }
        }
    }

    private var friends: CommandSpec {
        CommandSpec(
            ["friends"],
            group: Self.group,
            summary: "find people of the address book who use the app and let others find them",
            details: "The app does not see the address book; only hashes of its addresses are sent.",
            examples: ["friends"]
        ) { _ in
            .work { Self.people(try await session.container.allUserIdentitiesFromContacts()) }
        }
    }

    private var discover: CommandSpec {
        CommandSpec(
            ["discover"],
            group: Self.group,
            summary: "find a person by e-mail address, phone number or user record name",
            arguments: [ArgumentSpec("WHOM", .text)],
            examples: ["discover bob@example.org"]
        ) { arguments in
            let whom = try arguments.name("WHOM")
            return .work { Self.people([try await find(whom)].compactMap(\.self)) }
        }
    }

    private func find(_ whom: String) async throws -> CKUserIdentity? {
        let container = await session.container
        if whom.contains("@") { return try await container.userIdentity(forEmailAddress: whom) }
        if whom.hasPrefix("+") { return try await container.userIdentity(forPhoneNumber: whom) }
        return try await container.userIdentity(forUserRecordID: CKRecord.ID(recordName: whom))
    }

    private static func people(_ identities: [CKUserIdentity]) -> Answer {
        let entries = identities.map { identity in
            let names = identity.nameComponents
            let name = [names?.givenName, names?.familyName].compactMap(\.self).joined(separator: " ")
            return Entry([
                AnswerField("name", .text(name.isEmpty ? "unnamed" : name)),
                AnswerField("contacts", .texts(identity.contactIdentifiers)),
                AnswerField("userRecordName", Value(identity.userRecordID?.recordName)),
            ])
        }
        return Answer(
            form: .list, entries: entries,
            columns: [
                Column("NAME", "name"), Column("CONTACTS", "contacts"), Column("RECORD", "userRecordName"),
            ],
            whenEmpty: "nobody was found: only people who use the app and have agreed can be found"
        )
    }
}

extension ShellEnvironment {
    /// The password in the environment variable, for scripts.
    fileprivate var password: String? { variables["CLOUDLET_PASSWORD"].flatMap { $0.isEmpty ? nil : $0 } }
}
