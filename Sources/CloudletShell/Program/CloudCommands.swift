public import CommandShell

/// Finds records by the names that a program shows to its users, for commands that accept any record.
public struct RecordFinder: Sendable {
    /// The kind of value, for completion.
    let kind: ValueKind
    /// The description of such names for help texts.
    let details: String
    /// Returns the record name for a text; nil if the text is no such name.
    let find: @Sendable (String) async -> String?

    /// Creates a finder.
    public init(
        kind: ValueKind, details: String, find: @escaping @Sendable (String) async -> String?
    ) {
        self.kind = kind
        self.details = details
        self.find = find
    }
}

/// The commands that work on any container, by group.
///
/// A program adds the groups that it needs to its own commands:
///
/// ```swift
/// var commands: [CommandSpec] { tasks.commands + CloudCommands(session).all }
/// ```
public struct CloudCommands: Sendable {
    private let session: CloudSession
    private let names: ProgramNames
    private let finder: RecordFinder?
    private let refineStatus: @Sendable ([AnswerField]) async -> [AnswerField]
    private let unsentCount: @Sendable () async -> Int?

    /// Creates the commands for a session.
    ///
    /// - Parameters:
    ///   - names: The names of the program, for starting it in another process and for advice.
    ///   - finder: Finds records by the names that the program shows to its users.
    ///   - refineStatus: Adds fields of the program to those of `status`.
    ///   - unsentCount: Returns the number of the current person's changes that this device has not sent; nil
    ///     if it is unknown.
    public init(
        _ session: CloudSession, of names: ProgramNames, finder: RecordFinder? = nil,
        refineStatus: @escaping @Sendable ([AnswerField]) async -> [AnswerField] = { $0 },
        unsentCount: @escaping @Sendable () async -> Int? = { nil }
    ) {
        self.session = session
        self.names = names
        self.finder = finder
        self.refineStatus = refineStatus
        self.unsentCount = unsentCount
    }

    /// Commands for signing in by name, selecting the device, and signing out.
    public var identity: [CommandSpec] {
        IdentityCommands(session: session, unsentCount: unsentCount).commands
    }
    /// Commands for signing in with a password, and for finding people.
    public var people: [CommandSpec] {
        PeopleCommands(session: session, names: names).commands + AddressCommands(session: session).commands
    }
    /// Commands for records of any type, and for their authors.
    public var records: [CommandSpec] {
        RecordCommands(session: session).commands + WebCommands(session: session).commands
    }
    /// Commands for zones, and for the caches of devices.
    public var zones: [CommandSpec] { ZoneCommands(session: session).commands }
    /// Commands for subscriptions and pushes.
    public var pushes: [CommandSpec] { PushCommands(session: session, names: names).commands }
    /// Commands for containers, schemas, roles and rules.
    public var containers: [CommandSpec] {
        ContainerCommands(session: session).commands + SchemaCommands(session: session).commands
            + RoleCommands(session: session, finder: finder).commands
    }
    /// Commands that inject faults.
    public var faults: [CommandSpec] { FaultCommands(session: session).commands }
    /// Commands for the network of the current device.
    public var network: [CommandSpec] { NetworkCommands(session: session).commands }
    /// Commands that send many requests, and for the keys of imports.
    public var load: [CommandSpec] { LoadCommands(session: session).commands }
    /// Commands that report the requests of this program, and those of all clients of the server.
    public var audit: [CommandSpec] {
        AuditCommands(session: session).commands + TelemetryCommands(session: session).commands
    }
    /// The command that reads pages of the server's console.
    public var console: [CommandSpec] { ConsoleCommands(session: session).commands }
    /// Commands for batches and chains of operations.
    public var operations: [CommandSpec] { OperationCommands(session: session).commands }
    /// Commands that run in a process of their own.
    public var processes: [CommandSpec] { ProcessCommands(session: session, names: names).commands }
    /// Commands that show the state of the server and the session, and that explain errors.
    public var state: [CommandSpec] {
        StateCommands(session: session, refineStatus: refineStatus).commands
    }

    /// All commands.
    public var all: [CommandSpec] {
        identity + people + records + zones + pushes + network + operations + audit + console + processes
            + load + faults + containers + state
    }
}

extension ValueKind {
    /// A zone of the person's private database.
    public static let zone = ValueKind("zone")
    /// `public`, `private`, or a zone as `private/NAME`.
    public static let database = ValueKind("database")
    /// A record type.
    public static let recordType = ValueKind("recordType")
    /// A field of the record type that the command names first.
    public static let field = ValueKind("field")
    /// A field of that type followed by `=`, where a value must follow.
    public static let fieldValue = ValueKind("fieldValue")
    /// The name of a record, of the record type that the command names first, if it names one.
    public static let record = ValueKind("record")
    /// An active fault.
    public static let fault = ValueKind("fault")
    /// A subscription.
    public static let subscription = ValueKind("subscription")
    /// A person with an account.
    public static let person = ValueKind("person")
    /// An e-mail address or a phone number, as the address book of the person's devices has them.
    public static let address = ValueKind("address")
    /// A device that was used in this shell.
    public static let device = ValueKind("device")
}
