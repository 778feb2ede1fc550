public import ArgumentParser
public import Records
import RecordsWire

struct UserCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user",
        abstract: "Add, list, show, change and delete people.",
        usage: """
            cloudlet user add paul --email paul@example.org --password-stdin < password.txt
            cloudlet user list
            cloudlet user set-status paul restricted
            cloudlet user set-quota paul 20GB
            cloudlet user delete paul --yes
            """,
        discussion: """
            A person has one account on a server and, in each container, a separate record name that \
            reveals nothing about the person. Passwords are read from standard input, never from the \
            command line, and stored as hashes.
            """,
        subcommands: [
            UserAdd.self, UserList.self, UserShow.self, UserSetStatus.self, UserSetQuota.self,
            UserSetPassword.self, UserSignOut.self, UserDelete.self,
        ]
    )
}

struct UserAdd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add a person.",
        discussion: "Without a password, the person can sign in on an open server only, by name."
    )

    @Argument(help: "The name to sign in with.")
    var name: String

    @Option(help: "The e-mail address, which can also be used to sign in.")
    var email: String?

    @Option(help: "The phone number: + and digits.")
    var phone: String?

    @Option(help: "The given name, shown to people who may find this person.")
    var givenName: String?

    @Option(help: "The family name.")
    var familyName: String?

    @Flag(help: "Read the password from the first line of standard input.")
    var passwordStdin = false

    @OptionGroup var options: OperatorOptions

    func run() async throws {
        let password = passwordStdin ? try PasswordInput.read() : nil
        let call = AddPerson(
            name, email: email, phone: phone, givenName: givenName, familyName: familyName,
            password: password)
        try await options.call(call) { $0.listing().noting(["added \(name)"]) }
    }
}

struct UserList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List people.")

    @OptionGroup var options: OperatorOptions

    func run() async throws {
        try await options.call(ListPeople()) { people in
            .table(
                ["NAME", "E-MAIL", "STATUS", "PASSWORD", "CREATED"],
                people.elements.map {
                    [
                        $0.name, $0.email.cell, $0.status.rawValue, $0.hasPassword ? "yes" : "no",
                        $0.created.moment.cell,
                    ]
                },
                whenEmpty: "no people yet; add one: cloudlet user add NAME --password-stdin"
            )
        }
    }
}

struct UserShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a person, with the record names in each container.",
        discussion: """
            `cloudlet doctor` reports the file of a private database, whose name is a record name; with that \
            name, this command shows the person to whom the database belongs.
            """
    )

    @Argument(help: "The name or the e-mail address to sign in with, or a record name.", completion: .people)
    var name: String

    @OptionGroup var options: OperatorOptions

    func run() async throws {
        try await options.call(ReadPerson(name)) { $0.listing }
    }
}

struct UserSetStatus: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set-status", abstract: "Set whether a person may use the server.",
        discussion: """
            The server treats a restricted or temporarily unavailable person as signed out and \
            reports the status to apps. The person's data remains.
            """
    )

    @Argument(help: "The name or the e-mail address to sign in with.", completion: .people)
    var name: String

    @Argument(
        help: "available, restricted or temporarilyUnavailable.",
        completion: .list(["available", "restricted", "temporarilyUnavailable"]))
    var status: AccountStatus

    @OptionGroup var options: OperatorOptions

    func run() async throws {
        try await options.call(SetPersonStatus(name, status: status)) {
            $0.listing().noting(["\(name) is \(status.rawValue)"])
        }
    }
}

struct UserSetQuota: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set-quota", abstract: "Set the size that a person's private data may have.",
        discussion: """
            All containers and files count. The size applies at once, and remains after a restart of the \
            server. Data beyond a smaller size remains; only saves are refused. `default` is the size \
            that `serve --person-quota` gives to everybody.
            """
    )

    @Argument(help: "The name or the e-mail address to sign in with.", completion: .people)
    var name: String

    @Argument(help: "A size such as 20GB or 500MB, or default.")
    var size: String

    @OptionGroup var options: OperatorOptions

    func validate() throws {
        if size == "default" || ByteText.bytes(size) != nil { return }
        throw ValidationError("A size looks like 20GB or 500MB, or is default; not \(size).")
    }

    func run() async throws {
        let bytes = ByteText.bytes(size)
        let note = bytes.map { "may have \(ByteText.of($0))" } ?? "has the default quota"
        try await options.call(SetPersonQuota(name, quotaBytes: bytes)) {
            $0.listing().noting(["\(name) \(note)"])
        }
    }
}

extension AccountStatus: ExpressibleByArgument {}

extension PersonReport {
    /// The fields of a person followed by `more`.
    fileprivate func listing(_ more: [(String, String?)] = []) -> Listing {
        .fields(
            [
                ("name", name), ("e-mail", email), ("phone", phone), ("given name", givenName),
                ("family name", familyName), ("status", status.rawValue),
                ("password", hasPassword ? "yes" : "no"), ("created", created.moment),
                ("own quota", quotaBytes.map { ByteText.of($0) }),
            ] + more)
    }
}

extension PersonDetails {
    fileprivate var listing: Listing {
        let room = ByteText.of(privateBytes, limit: privateBytesLimit)
        return person.listing([("private data", room)] + containers.map { ($0.container, $0.userRecordName) })
    }
}
