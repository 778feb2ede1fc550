// Owns doing the commands about accounts and about finding people.
import Cloudlet
import Foundation

extension Interpreter {
    func answer(_ command: PeopleCommand) async throws -> Answer {
        switch command {
        case .signIn(let person, let file, let stays):
            return try await signIn(person, passwordFile: file, staysSignedIn: stays)
        case .profile(let fields):
            try await site.describe(try signedIn(), in: session.place.container, as: fields)
            let facts = fields.keys.sorted().filter { $0 != "password" }.map { Field($0, Value(fields[$0])) }
            return Answer.talk("your account is up to date", facts: facts)
        case .askDiscoverable(let answer): return try await askDiscoverable(answer)
        case .setDiscoverable(let isGranted):
            let connection = site.connection(
                in: session.place.environment, session.account?.session, device: session.device)
            try await connection.setUserDiscoverability(
                isGranted, inContainer: session.place.container)
            return Self.discoverable(isGranted ? .granted : .denied)
        case .showDiscoverable:
            return Self.discoverable(
                try await container.applicationPermissionStatus(for: .userDiscoverability))
        case .addContact(let name, let addresses): return try addContact(name, addresses)
        case .friends: return Self.people(try await container.allUserIdentitiesFromContacts())
        case .discover(let whom): return Self.people([try await find(whom)].compactMap(\.self))
        }
    }

    // MARK: Signing in

    private func signIn(
        _ person: String, passwordFile: Word?, staysSignedIn: Bool
    ) async throws -> Answer {
        let account = CloudAccount()
        let container = site.container(in: session.place, account, device: session.device)
        var password = try passwordFile.map(firstLine) ?? tools.password
        do {
            try await account.signIn(
                as: person, password: password, to: container, staysSignedIn: staysSignedIn)
        } catch CKError.notAuthenticated where password == nil {
            // Whoever types it sees where it goes.
            let place = site.isEmbedded ? "" : " at \(site.place)"
            password = tools.ask("password of \(person)\(place): ", true)
            guard let password else {
                throw Complaint(
                    code: "notAuthenticated", message: "\(person) has a password, or is not known here",
                    remedy: "sign-in \(person) --password-file FILE", exit: .notSignedIn)
            }
            try await account.signIn(
                as: person, password: password, to: container, staysSignedIn: staysSignedIn)
        }
        enter(Session.Account(person: person, session: account))
        let fields = [
            Field("person", .text(person)), Field("account", .text("\(try await container.accountStatus())")),
            Field("device", .text(session.device)),
        ]
        return Answer(form: .record, entries: [Entry(fields)], notes: ["signed in as \(person)"])
    }

    private func firstLine(_ file: Word) throws -> String {
        guard let text = try? String(contentsOf: tools.file(file), encoding: .utf8) else {
            throw Complaint.usage("the file `\(file.text)` cannot be read", at: file.range)
        }
        return String(text.prefix { !$0.isNewline })
    }

    private func signedIn() throws -> CloudAccount {
        if let account = session.account?.session { return account }
        throw Complaint(
            code: "notAuthenticated", message: "nobody is signed in", remedy: "sign-in NAME",
            exit: .notSignedIn)
    }

    // MARK: Permission

    private func askDiscoverable(_ answer: Bool?) async throws -> Answer {
        let tools = tools
        var connection = site.connection(
            in: session.place.environment, session.account?.session, device: session.device)
        connection.permissionPrompt = { _, _ in
            if let answer { return answer }
            let said = tools.ask("May others who use Clown Central find you? [y/N] ", false)
            return said?.lowercased().hasPrefix("y") == true
        }
        let container = CKContainer(identifier: session.place.container, connection: connection)
        return Self.discoverable(
            try await container.requestApplicationPermission(.userDiscoverability))
    }

    private static func discoverable(_ status: CKContainer.ApplicationPermissionStatus) -> Answer {
        let word =
            switch status {
            case .granted: "yes"
            case .denied: "no"
            default: "never asked"
            }
        return Answer.talk("others may find you: \(word)", facts: [Field("discoverable", .text(word))])
    }

    // MARK: Others

    private func addContact(_ name: String, _ addresses: [String]) throws -> Answer {
        guard let person = session.account?.person else {
            _ = try signedIn()
            return Answer.talk("")
        }
        let contact = CloudContact(
            identifier: name, emailAddresses: addresses.filter { !$0.hasPrefix("+") },
            phoneNumbers: addresses.filter { $0.hasPrefix("+") })
        session.contacts[person, default: []].append(contact)
        forgetContainer()
        let count = session.contacts[person]?.count ?? 0
        return Answer.talk(
            "the address book has \(Answer.counted(count, "contact"))",
            facts: [Field("contacts", .count(count))])
    }

    private func find(_ whom: String) async throws -> CKUserIdentity? {
        if whom.contains("@") { return try await container.userIdentity(forEmailAddress: whom) }
        if whom.hasPrefix("+") { return try await container.userIdentity(forPhoneNumber: whom) }
        return try await container.userIdentity(forUserRecordID: CKRecord.ID(recordName: whom))
    }

    private static func people(_ identities: [CKUserIdentity]) -> Answer {
        let entries = identities.map { identity in
            let names = identity.nameComponents
            let name = [names?.givenName, names?.familyName].compactMap(\.self).joined(separator: " ")
            return Entry([
                Field("name", .text(name.isEmpty ? "unnamed" : name)),
                Field("contacts", .texts(identity.contactIdentifiers)),
                Field("userRecordName", Value(identity.userRecordID?.recordName)),
            ])
        }
        return Answer(
            form: .list, entries: entries,
            columns: [
                Column("NAME", "name"), Column("CONTACTS", "contacts"), Column("RECORD", "userRecordName"),
            ],
            whenEmpty: "nobody to be found: only people who use the app and agreed are"
        )
    }
}
