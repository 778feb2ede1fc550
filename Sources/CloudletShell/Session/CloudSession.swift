public import Cloudlet
public import CommandShell
import Foundation
import Synchronization

/// The state of a shell between commands: the person, the device, and the container of a server.
///
/// Every group of commands has a reference to the session and gets its container from it:
///
/// ```swift
/// let database = await session.container.publicCloudDatabase
/// ```
public actor CloudSession {
    /// A container in one environment.
    public struct ContainerEnvironment: Hashable, Sendable {
        /// The container's identifier.
        public var container: String
        /// Development or production.
        public var environment: CloudConnection.Environment

        /// Creates the value, in development by default.
        public init(container: String, environment: CloudConnection.Environment = .development) {
            self.container = container
            self.environment = environment
        }

        /// The container and the environment as one text.
        public var key: String { "\(container)/\(environment.rawValue)" }
    }

    /// A signed-in person.
    public struct Account: Equatable, Sendable {
        /// The name with which the person signed in.
        public let person: String
        /// The person's session with the server.
        public let session: CloudAccount

        /// Whether both are the same session of the same person.
        public static func == (left: Account, right: Account) -> Bool {
            left.person == right.person && left.session === right.session
        }
    }

    /// A snapshot of the person, the device and the place.
    public struct Context: Sendable {
        /// The container and environment of commands.
        public let place: ContainerEnvironment
        /// The signed-in account; nil if nobody is signed in.
        public let account: Account?
        /// The device in use.
        public let device: String
        /// The kind of the device.
        public let profile: DeviceProfile
        /// Identifies the combination of person, device and place. It changes when somebody signs in or out,
        /// and when the device or the place changes.
        public let contextNumber: Int
        /// Identifies the place. It changes when the place changes.
        public let placeNumber: Int

        /// The name of the signed-in person.
        public var person: String? { account?.person }
        /// The person and the device as one text.
        public var key: String { "\(person ?? "")@\(device)" }
    }

    /// The connection to the server.
    public nonisolated let server: ServerAccess
    /// The environment in which commands run.
    public nonisolated let environment: ShellEnvironment
    /// Counts the requests to the server.
    public nonisolated let requests = RequestCounter()
    /// The clock for waiting.
    public nonisolated let clock: WaitingClock
    /// The container at the start of the shell.
    public nonisolated let initialContainer: String
    /// The folder for the data of devices.
    public nonisolated let devicesFolder: URL

    var place: ContainerEnvironment
    /// The zone for commands about records; nil for the public database.
    var zone: String?
    /// The signed-in person; nil if nobody is signed in. A change posts `.CKAccountChanged`, as the system
    /// does on a device.
    var account: Account? {
        didSet {
            if account != oldValue { NotificationCenter.default.post(name: .CKAccountChanged, object: self) }
        }
    }
    var device: String
    /// The key with which imports are signed.
    var serverKey: CloudServerKey?
    /// The accounts that signed in before, by name, so that `as` can use them again.
    var knownAccounts: [String: Account] = [:]
    /// The devices that were used, for completion.
    var devices: Set<String>
    /// The kinds of devices; devices without an entry are phones.
    var profiles: [String: DeviceProfile] = [:]
    /// The address book of each person, the same on all devices.
    var contacts: [String: [CloudContact]] = [:]
    /// The session of each person in each container. When a person signs in again, the existing session
    /// object gets the new token, so that background work that uses it continues.
    var accounts: [String: CloudAccount] = [:]
    /// The cached zones of each device.
    var zoneCaches: [String: ZoneCache] = [:]
    /// The position of each device in the feed of its person's changed zones.
    var databaseTokens: [String: CKServerChangeToken] = [:]
    /// The inboxes for pushes, by person and device.
    var inboxes: [String: PushInbox] = [:]
    /// The state that decides how a push is treated. Inboxes read it when a push arrives.
    nonisolated let pushSettings: Mutex<PushSettings>
    /// Whether the app declares that it supports sharing.
    let supportsSharing: Bool
    /// Whether an answer has named the missing background mode.
    var hasNamedBackgroundMode = false
    /// The number of requests at the last call of `countRequests`.
    var reportedRequests = 0
    /// The position of each device in its person's notification collection.
    var notificationTokens: [String: CKServerChangeToken] = [:]
    /// The active faults of the server when they were last read, for the prompt.
    var faultMarks: [String] = []
    /// The records of the last answers, newest first, for completion.
    var recentRecords: [Candidate] = []
    /// The errors of the last command that failed, entirely or in part.
    var lastErrors: [ShellError] = []
    /// The time of the next attempt to sign in a person whose sign-in is pending (`isSignInPending`), and the
    /// number of failed attempts.
    var nextSignIn = (moment: Date.distantPast, failures: 0)

    private var identifiers: IdentifierMaker
    private var contextNumber = 0
    private var contextCount = 0
    private var placeNumber = 0
    private var current: (place: ContainerEnvironment, account: Account?, device: String, made: CKContainer)?

    /// Creates a session with a server, in a container, without a signed-in person.
    ///
    /// - Parameters:
    ///   - devicesFolder: The folder for the data of devices.
    ///   - pushSetup: The settings of the app that pushes need.
    ///   - supportsSharing: Whether the app declares that it supports sharing; without that, it cannot accept
    ///     shares.
    public init(
        with server: ServerAccess, container: String, device: String, devicesFolder: URL,
        in environment: ShellEnvironment, pushSetup: PushSetup = PushSetup(), supportsSharing: Bool = true
    ) {
        var server = server
        server.transport = requests.counting(server.transport)
        clock = WaitingClock(base: server.now, pause: environment.pause)
        server.now = { [clock] in clock.now }
        server.onOperation = { [requests] in requests.record(operation: $0) }
        server.pause = { [clock] in try await clock.wait($0) }
        self.server = server
        self.environment = environment
        self.device = device
        self.devicesFolder = devicesFolder
        pushSettings = Mutex(PushSettings(setup: pushSetup))
        self.supportsSharing = supportsSharing
        initialContainer = container
        place = ContainerEnvironment(container: container)
        devices = [device]
        identifiers = IdentifierMaker(seed: environment.seed)
    }

    /// A session without a server, for describing commands that are not executed.
    public static func placeholder(of names: ProgramNames) -> CloudSession {
        let environment = ShellEnvironment.placeholder(names)
        let server = ServerAccess(
            transport: UnconnectedTransport(), description: "", assetFolder: environment.workFolder,
            now: environment.now)
        return CloudSession(
            with: server, container: "", device: "", devicesFolder: environment.workFolder, in: environment)
    }

    // MARK: Container and environment

    /// A snapshot of the person, the device and the place.
    public var context: Context {
        Context(
            place: place, account: account, device: device, profile: profiles[device] ?? .phone,
            contextNumber: contextNumber, placeNumber: placeNumber)
    }

    /// The container for the current person on the current device.
    public var container: CKContainer {
        if let current, current.place == place, current.account == account, current.device == device {
            return current.made
        }
        let known = account.flatMap { contacts[$0.person] } ?? []
        let container = server.container(in: place, account?.session, device: device, contacts: known)
        current = (place, account, device, container)
        return container
    }

    /// The connection to the server for the current person on the current device.
    public var connection: CloudConnection {
        server.connection(in: place.environment, account?.session, device: device)
    }

    /// Makes the next access to `container` create it again, because its connection has changed.
    func forgetContainer() { current = nil }

    /// The current database as text: `public`, `private`, or `private/Notes`.
    var database: String {
        guard let zone else { return "public" }
        return zone == CKRecordZone.ID.defaultZoneName ? "private" : "private/\(zone)"
    }

    /// Uses records in a zone of the private database from now on; nil for the public database.
    func use(zone: String?) { self.zone = zone }

    /// Switches to a place. The zone caches of devices are dropped if it is another one.
    func select(_ place: ContainerEnvironment) {
        if place != self.place {
            zoneCaches = [:]
            databaseTokens = [:]
            placeNumber += 1
            renewContext()
        }
        self.place = place
    }

    func use(device: String, profile: DeviceProfile?) {
        if let profile { profiles[device] = profile }
        self.device = device
        devices.insert(device)
        renewContext()
    }

    /// Assigns a new number to the combination of person, device and place.
    private func renewContext() {
        contextCount += 1
        contextNumber = contextCount
    }

    /// Switches back to an earlier person and device.
    func restore(_ before: Context) {
        account = before.account
        device = before.device
        // A command may have changed the place. The new place stays, so the earlier number is no longer
        // right.
        if placeNumber == before.placeNumber { contextNumber = before.contextNumber } else { renewContext() }
    }

    // MARK: Person

    /// Makes a signed-in person the current one.
    func enter(_ account: Account) {
        let key = accountKey(of: account.person)
        if let known = accounts[key], known !== account.session, let token = account.session.webAuthToken {
            known.signIn(webAuthToken: token)
            self.account = Account(person: account.person, session: known)
        } else {
            accounts[key] = account.session
            self.account = account
        }
        if knownAccounts[account.person] != nil { knownAccounts[account.person] = self.account }
        renewContext()
    }

    /// Ends the session of the current person, on all devices of this shell.
    func signOut() {
        account?.session.signOut()
        account = nil
        renewContext()
    }

    /// The account of a person who signs in by name, which development servers allow.
    ///
    /// If a remote server cannot be reached, the account has no session yet, and the data on this device can
    /// be used. `completeSignIn()` signs in later.
    public func account(of person: String) async throws -> Account {
        if let account = knownAccounts[person], await isValid(account) { return account }
        let session: CloudAccount
        do {
            session = CloudAccount(webAuthToken: try await server.signIn(person))
        } catch let error as CloudTransportError where !server.isEmbedded && error.isWithoutServer {
            nextSignIn = (environment.wallClock().addingTimeInterval(Self.firstSignInPause), 1)
            session = accounts[accountKey(of: person)] ?? CloudAccount()
        }
        let account = Account(person: person, session: session)
        knownAccounts[person] = account
        return account
    }

    private func accountKey(of person: String) -> String { "\(place.container) \(person)" }

    /// Whether an existing session is still valid. A new password or the operator may have ended it. If the
    /// server cannot be reached, the session counts as valid.
    private func isValid(_ account: Account) async -> Bool {
        let container = server.container(in: place, account.session, device: device)
        return (try? await container.accountStatus()) != .noAccount
    }

    func signedIn() throws -> Account {
        if let account { return account }
        throw ShellError(
            code: "notAuthenticated", message: "nobody is signed in", remedy: "sign-in NAME",
            exit: .notSignedIn)
    }

    /// Adds a contact to the address book of the current person, and returns the number of contacts.
    func add(_ contact: CloudContact) throws -> Int {
        let person = try signedIn().person
        contacts[person, default: []].append(contact)
        forgetContainer()
        return contacts[person]?.count ?? 0
    }

    // MARK: Identifiers, keys and caches

    /// A new identifier for a record of a kind, such as `note-7k2m9qwx4bdt`.
    public func makeIdentifier(_ kind: String) -> String { identifiers.next(kind) }

    /// The given number of new identifiers.
    public func makeIdentifiers(_ count: Int, _ kind: String) -> [String] {
        (0..<count).map { _ in identifiers.next(kind) }
    }

    /// A seed that makes the identifiers of another process repeatable.
    func nextSeed() -> UInt64 { identifiers.nextSeed() }

    /// The key with which imports are signed; nil before the command `server-key`.
    public var importKey: CloudServerKey? { serverKey }

    func sign(with key: CloudServerKey) { serverKey = key }

    func keep(_ cache: ZoneCache, as key: String) { zoneCaches[key] = cache }

    func keep(databaseToken: CKServerChangeToken, of key: String) { databaseTokens[key] = databaseToken }

    func keep(notificationToken: CKServerChangeToken?, of key: String) {
        notificationTokens[key] = notificationToken
    }

    /// The number of requests since the last call of this method.
    func countRequests() -> Int {
        defer { reportedRequests = requests.count }
        return requests.count - reportedRequests
    }

    // MARK: Results of commands

    private static let recentRecordLimit = 200

    /// Stores the records that a command showed, or its errors.
    public func handle(_ result: LastResult) {
        switch result {
        case .shellError(let shellError): lastErrors = [shellError]
        case .answer(let answer):
            keepRecords(of: answer)
            if !answer.failures.isEmpty { lastErrors = answer.failures }
        case .nothing: break
        }
    }

    private func keepRecords(of answer: Answer) {
        let shown = answer.entries.compactMap { entry -> Candidate? in
            guard case .text(let name)? = entry.value(["id"]) ?? entry.value(["record"]) else { return nil }
            let title = entry.value(["name"]) ?? entry.value(["text"]) ?? entry.value(["type"])
            return Candidate(name, title?.text ?? "")
        }
        let names = Set(shown.map(\.text))
        let others = recentRecords.filter { !names.contains($0.text) }
        recentRecords = Array((shown + others).prefix(Self.recentRecordLimit))
    }
}
