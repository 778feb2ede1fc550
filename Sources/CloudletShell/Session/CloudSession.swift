public import Cloudlet
public import CommandShell
import Foundation

/// What a shell knows between two commands: who asks, on which device, in which container of which server.
///
/// Every group of commands holds the session, and asks it for the container:
///
/// ```swift
/// let database = await session.container.publicCloudDatabase
/// ```
public actor CloudSession {
    /// Where on the server commands go.
    public struct Place: Hashable, Sendable {
        /// The container's identifier.
        public var container: String
        /// Development or production.
        public var environment: CloudConnection.Environment

        /// A place; in development if nothing is said.
        public init(container: String, environment: CloudConnection.Environment = .development) {
            self.container = container
            self.environment = environment
        }

        /// The container and the environment in one name.
        public var key: String { "\(container)/\(environment.rawValue)" }
    }

    /// Somebody who is signed in.
    public struct Account: Equatable, Sendable {
        /// The name that was signed in with.
        public let person: String
        /// The session with the server.
        public let session: CloudAccount

        /// Whether both are the same session of the same person.
        public static func == (left: Account, right: Account) -> Bool {
            left.person == right.person && left.session === right.session
        }
    }

    /// Who asks, and from where, at one moment.
    public struct Whereabouts: Sendable {
        /// Where on the server commands go.
        public let place: Place
        /// Who is signed in; nobody if nil.
        public let account: Account?
        /// The device that is used.
        public let device: String
        /// What kind of device that is.
        public let profile: DeviceProfile
        /// Another number as soon as somebody signs in or out, or the device or the place is another one.
        public let stay: Int
        /// Another number as soon as the place is another one.
        public let placeNumber: Int

        /// The name of the person who is signed in.
        public var person: String? { account?.person }
        /// The person and the device in one name.
        public var key: String { "\(person ?? "")@\(device)" }
    }

    /// How to speak to the server.
    public nonisolated let server: ServerAccess
    /// What commands are given from outside.
    public nonisolated let environment: ShellEnvironment
    /// Counts what is asked of the server.
    public nonisolated let requests = RequestCounter()
    /// The clock that waiting goes by.
    public nonisolated let clock: WaitingClock
    /// The container that the shell begins in.
    public nonisolated let home: String
    /// The folder in which devices keep what they have of people's data.
    public nonisolated let devicesFolder: URL

    var place: Place
    /// The zone that commands about records look at; nil: the public database.
    var zone: String?
    var account: Account?
    var device: String
    /// What imports are signed with.
    var serverKey: CloudServerKey?
    /// People who signed in before, so that `as` need not do it again.
    var known: [String: Account] = [:]
    /// Devices that were used, for completion.
    var devices: Set<String>
    /// What kind of device some are; the others are phones.
    var profiles: [String: DeviceProfile] = [:]
    /// The address book that each person has on all devices.
    var contacts: [String: [CloudContact]] = [:]
    /// The session of each person, by container: whoever signs in again goes on with the one that there is,
    /// so that what goes on by itself hears of it.
    var accounts: [String: CloudAccount] = [:]
    /// What each device keeps of the zones that it fetched.
    var zoneCaches: [String: ZoneCache] = [:]
    /// Where each device has come to in the feed of its person's zones.
    var databaseTokens: [String: CKServerChangeToken] = [:]
    /// The pushes that arrive, by person and device.
    var inboxes: [String: PushInbox] = [:]
    /// How many requests had been sent when somebody last asked.
    var requestsTold = 0
    /// Where each device has come to in its person's notification collection.
    var notificationTokens: [String: CKServerChangeToken] = [:]
    /// The faults in force on the server, as they were last seen, for the prompt.
    var faultMarks: [String] = []
    /// The records of the last answers, the newest first, for completion.
    var seen: [Candidate] = []
    /// What went wrong in the last command that failed, in whole or in part.
    var troubles: [Complaint] = []

    private var identifiers: IdentifierMaker
    private var stay = 0
    private var stays = 0
    private var placeNumber = 0
    private var current: (place: Place, account: Account?, device: String, made: CKContainer)?

    /// A session with a server, in a container, where nobody is signed in.
    ///
    /// - Parameter devicesFolder: Where devices keep what they have of people's data.
    public init(
        with server: ServerAccess, container: String, device: String, devicesFolder: URL,
        in environment: ShellEnvironment
    ) {
        var server = server
        server.transport = requests.counting(server.transport)
        clock = WaitingClock(base: server.now, pause: environment.pause)
        server.now = { [clock] in clock.now }
        self.server = server
        self.environment = environment
        self.device = device
        self.devicesFolder = devicesFolder
        home = container
        place = Place(container: container)
        devices = [device]
        identifiers = IdentifierMaker(seed: environment.seed)
    }

    /// A session with no server, for describing commands, which are never done.
    public static func nowhere(of names: ProgramNames) -> CloudSession {
        let environment = ShellEnvironment.nowhere(names)
        let server = ServerAccess(
            transport: NoServer(), place: "", assetFolder: environment.workFolder, now: environment.now)
        return CloudSession(
            with: server, container: "", device: "", devicesFolder: environment.workFolder, in: environment)
    }

    // MARK: Where commands go

    /// Who asks, and from where.
    public var whereabouts: Whereabouts {
        Whereabouts(
            place: place, account: account, device: device, profile: profiles[device] ?? .phone, stay: stay,
            placeNumber: placeNumber)
    }

    /// The container as the present person on the present device sees it.
    public var container: CKContainer {
        if let current, current.place == place, current.account == account, current.device == device {
            return current.made
        }
        let known = account.flatMap { contacts[$0.person] } ?? []
        let container = server.container(in: place, account?.session, device: device, contacts: known)
        current = (place, account, device, container)
        return container
    }

    /// The way to the server for the present person on the present device.
    public var connection: CloudConnection {
        server.connection(in: place.environment, account?.session, device: device)
    }

    /// Lets the next command make the container anew, since something about its connection has changed.
    func forgetContainer() { current = nil }

    /// `public`, `private`, or `private/Notes`.
    var database: String {
        guard let zone else { return "public" }
        return zone == CKRecordZone.ID.defaultZoneName ? "private" : "private/\(zone)"
    }

    /// Looks at records in a zone of the person's own from now on; in public if nil.
    func use(zone: String?) { self.zone = zone }

    /// Goes on elsewhere; what devices hold of records is left behind.
    func go(to place: Place) {
        if place != self.place {
            zoneCaches = [:]
            databaseTokens = [:]
            placeNumber += 1
            begin()
        }
        self.place = place
    }

    func use(device: String, profile: DeviceProfile?) {
        if let profile { profiles[device] = profile }
        self.device = device
        devices.insert(device)
        begin()
    }

    private func begin() {
        stays += 1
        stay = stays
    }

    /// Goes back to where somebody was.
    func goBack(to before: Whereabouts) {
        account = before.account
        device = before.device
        stay = before.stay
    }

    // MARK: Who asks

    /// Makes somebody who has signed in the one who asks.
    func enter(_ account: Account) {
        let key = "\(place.container) \(account.person)"
        if let known = accounts[key], known !== account.session, let token = account.session.webAuthToken {
            known.signIn(webAuthToken: token)
            self.account = Account(person: account.person, session: known)
        } else {
            accounts[key] = account.session
            self.account = account
        }
        if known[account.person] != nil { known[account.person] = self.account }
        begin()
    }

    /// Ends the session of the one who asks, on all devices of this shell.
    func leave() {
        account?.session.signOut()
        account = nil
        begin()
    }

    /// The account of a person who signs in by name, as development servers let people.
    public func account(of person: String) async throws -> Account {
        if let account = known[person], await isGood(account) { return account }
        let token = try await server.signIn(person)
        let account = Account(person: person, session: CloudAccount(webAuthToken: token))
        known[person] = account
        return account
    }

    /// Whether a session that was begun before still holds: a new password or an operator may have ended it.
    /// One that cannot be asked about now is believed.
    private func isGood(_ account: Account) async -> Bool {
        let container = server.container(in: place, account.session, device: device)
        return (try? await container.accountStatus()) != .noAccount
    }

    func signedIn() throws -> Account {
        if let account { return account }
        throw Complaint(
            code: "notAuthenticated", message: "nobody is signed in", remedy: "sign-in NAME",
            exit: .notSignedIn)
    }

    /// Adds to the address book of the present person, and answers how long it is now.
    func add(_ contact: CloudContact) throws -> Int {
        let person = try signedIn().person
        contacts[person, default: []].append(contact)
        forgetContainer()
        return contacts[person]?.count ?? 0
    }

    // MARK: What commands make

    /// A new identifier for a record of a kind, `note-7k2m9qwx4bdt` for example.
    public func makeIdentifier(_ kind: String) -> String { identifiers.next(kind) }

    /// As many of them.
    public func makeIdentifiers(_ count: Int, _ kind: String) -> [String] {
        (0..<count).map { _ in identifiers.next(kind) }
    }

    /// A number that makes another process's identifiers repeatable.
    func nextSeed() -> UInt64 { identifiers.nextSeed() }

    /// The key that imports are signed with; nil before `server-key`.
    public var importKey: CloudServerKey? { serverKey }

    func sign(with key: CloudServerKey) { serverKey = key }

    func keep(_ cache: ZoneCache, as key: String) { zoneCaches[key] = cache }

    func keep(databaseToken: CKServerChangeToken, of key: String) { databaseTokens[key] = databaseToken }

    func keep(notificationToken: CKServerChangeToken?, of key: String) {
        notificationTokens[key] = notificationToken
    }

    /// How many requests were sent since this was last asked.
    func countRequests() -> Int {
        defer { requestsTold = requests.count }
        return requests.count - requestsTold
    }

    // MARK: What commands came to

    private static let mostSeen = 200

    /// Hears what a command came to: which records it showed, and what went wrong.
    public func note(_ result: LastResult) {
        switch result {
        case .complaint(let complaint): troubles = [complaint]
        case .answer(let answer):
            see(answer)
            if !answer.failures.isEmpty { troubles = answer.failures }
        case .nothing: break
        }
    }

    private func see(_ answer: Answer) {
        let shown = answer.entries.compactMap { entry -> Candidate? in
            guard case .text(let name)? = entry.value(["id"]) ?? entry.value(["record"]) else { return nil }
            let title = entry.value(["name"]) ?? entry.value(["text"]) ?? entry.value(["type"])
            return Candidate(name, title?.text ?? "")
        }
        let names = Set(shown.map(\.text))
        seen = Array((shown + seen.filter { !names.contains($0.text) }).prefix(Self.mostSeen))
    }
}
