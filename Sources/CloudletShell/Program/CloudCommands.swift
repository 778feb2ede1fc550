public import CommandShell

/// Finds records by names that people gave them, for commands that take any record.
public struct RecordFinder: Sendable {
    /// What Tab offers.
    let kind: ValueKind
    /// What help says about such names.
    let details: String
    /// The record name that a text stands for; nil when it is no such name.
    let find: @Sendable (String) async -> String?

    /// A finder.
    public init(
        kind: ValueKind, details: String, find: @escaping @Sendable (String) async -> String?
    ) {
        self.kind = kind
        self.details = details
        self.find = find
    }
}

/// The commands that work on any container, group by group.
///
/// A program adds those that it wants to its own:
///
/// ```swift
/// var commands: [CommandSpec] { tasks.commands + CloudCommands(session).all }
/// ```
public struct CloudCommands: Sendable {
    private let session: CloudSession
    private let names: ProgramNames
    private let finder: RecordFinder?
    private let refineStatus: @Sendable ([Field]) async -> [Field]

    /// Commands for a session.
    ///
    /// - Parameters:
    ///   - names: The program, for processes of its own and for advice.
    ///   - finder: Finds records by the names that the program's people give them.
    ///   - refineStatus: Adds to the fields of `status` what else the program has to say.
    public init(
        _ session: CloudSession, of names: ProgramNames, finder: RecordFinder? = nil,
        refineStatus: @escaping @Sendable ([Field]) async -> [Field] = { $0 }
    ) {
        self.session = session
        self.names = names
        self.finder = finder
        self.refineStatus = refineStatus
    }

    /// Signing in by name, the device, signing out.
    public var world: [CommandSpec] { WorldCommands(session: session).commands }
    /// Signing in with a password, and finding people.
    public var people: [CommandSpec] { PeopleCommands(session: session, names: names).commands }
    /// Records of any type, and who wrote them.
    public var records: [CommandSpec] { RecordCommands(session: session).commands }
    /// Zones, and what devices keep of them.
    public var zones: [CommandSpec] { ZoneCommands(session: session).commands }
    /// Subscriptions and pushes.
    public var pushes: [CommandSpec] { PushCommands(session: session).commands }
    /// Containers, schema, roles and rules.
    public var containers: [CommandSpec] {
        ContainerCommands(session: session).commands + SchemaCommands(session: session).commands
            + RoleCommands(session: session, finder: finder).commands
    }
    /// Things that go wrong on purpose.
    public var faults: [CommandSpec] { FaultCommands(session: session).commands }
    /// The network of the present device.
    public var network: [CommandSpec] { NetworkCommands(session: session).commands }
    /// Too many requests, and keys for imports.
    public var load: [CommandSpec] { LoadCommands(session: session).commands }
    /// How the program uses its server.
    public var audit: [CommandSpec] { AuditCommands(session: session).commands }
    /// Batches, and chains of operations.
    public var operations: [CommandSpec] { OperationCommands(session: session).commands }
    /// Commands in a process of their own.
    public var processes: [CommandSpec] { ProcessCommands(session: session, names: names).commands }
    /// What the server and the session are about, and what went wrong.
    public var state: [CommandSpec] {
        StateCommands(session: session, refineStatus: refineStatus).commands
    }

    /// All of them.
    public var all: [CommandSpec] {
        world + people + records + zones + pushes + network + operations + audit + processes + load + faults
            + containers + state
    }
}

extension ValueKind {
    /// A zone of the person's own.
    public static let zone = ValueKind("zone")
    /// `public`, `private`, or a zone as `private/NAME`.
    public static let database = ValueKind("database")
    /// A record type.
    public static let recordType = ValueKind("recordType")
    /// A field of the record type that the command names first.
    public static let field = ValueKind("field")
    /// The same with = behind it, where a value follows.
    public static let fieldValue = ValueKind("fieldValue")
    /// The name of a record, of the type that the command names first if it does.
    public static let record = ValueKind("record")
    /// A fault in force.
    public static let fault = ValueKind("fault")
    /// A subscription.
    public static let subscription = ValueKind("subscription")
    /// Somebody with an account.
    public static let person = ValueKind("person")
    /// A device that was used.
    public static let device = ValueKind("device")
}
