public import Cloudlet
public import CloudletServer
public import Foundation
public import Records
import RecordsWire
import Synchronization

/// A server with people and devices for one test.
///
/// ```swift
/// let world = try await CloudletWorld.start()
/// let alice = try await world.container("iCloud.com.example.app", as: "alice", on: "phone")
/// try await alice.publicCloudDatabase.save(record)
/// await world.stop()
/// ```
///
/// Identifiers are derived from the seed, times come from the clock, and `stop()` deletes the data, so a test
/// has the same results in each run.
public final class CloudletWorld: Sendable {
    /// The world's server, for direct access to its state, such as `faults` and `people`.
    public let server: CloudletServer

    /// The clock of the server and of all devices.
    public let clock: WorldClock

    private let permission = Mutex(true)
    private let contacts = Mutex<[String: [CloudContact]]>([:])

    /// Whether people grant the permissions that apps request; true by default.
    public var grantsPermissions: Bool {
        get { permission.withLock { $0 } }
        set { permission.withLock { $0 = newValue } }
    }

    private init(server: CloudletServer, clock: WorldClock) {
        self.server = server
        self.clock = clock
    }

    /// Starts a world with a server of its own.
    ///
    /// - Parameters:
    ///   - seed: The seed for identifiers; print it when a test fails.
    ///   - date: The time at which the clock starts.
    ///   - port: The port on which the server also listens, 0 for a free one; nil keeps the server in
    ///     process.
    ///   - data: The folder for the data, which is not deleted, so that it can be backed up and served again;
    ///     nil uses a temporary folder.
    ///   - limits: The server's limits. Lower them to reach a limit with little data.
    ///   - access: `.open` lets people sign in by name; `.closed` requires API tokens and passwords.
    /// - Throws: `ServerError`.
    public static func start(
        seed: UInt64 = 1, at date: Date = WorldClock.beginning, port: Int? = nil,
        data: URL? = nil, limits: Limits = Limits(),
        access: ServerConfiguration.Access = .open
    ) async throws -> CloudletWorld {
        let clock = WorldClock(date)
        var configuration = data.map { ServerConfiguration(storage: .folder($0)) } ?? .ephemeral
        configuration.seed = seed
        configuration.clock = { clock.now }
        // A delay in the server advances the clock, so the test does not wait.
        configuration.pause = { clock.advance(bySeconds: TimeInterval($0.components.seconds)) }
        configuration.limits = limits
        configuration.port = port
        configuration.access = access
        return CloudletWorld(server: try await CloudletServer.start(configuration), clock: clock)
    }

    /// Starts a world as `start` does, calls `body` with it, and stops it afterwards, also if `body` throws.
    ///
    /// ```swift
    /// try await CloudletWorld.run { world in
    ///     let bob = try await world.container("iCloud.com.example.app", as: "bob")
    ///     #expect(try await bob.accountStatus() == .available)
    /// }
    /// ```
    ///
    /// - Throws: `ServerError`, and the errors of `body`.
    public static func run<Value>(
        seed: UInt64 = 1, at date: Date = WorldClock.beginning, port: Int? = nil,
        data: URL? = nil, limits: Limits = Limits(),
        access: ServerConfiguration.Access = .open,
        isolation: isolated (any Actor)? = #isolation,
        _ body: (CloudletWorld) async throws -> Value
    ) async throws -> Value {
        let world = try await start(
            seed: seed, at: date, port: port, data: data, limits: limits, access: access)
        do {
            let value = try await body(world)
            await world.stop()
            return value
        } catch {
            await world.stop()
            throw error
        }
    }

    /// Creates a connection of a person on a device. If `person` is nil, nobody is signed in, and only public
    /// data can be read.
    ///
    /// - Throws: `CKError` when signing in fails.
    public func connection(of person: String?, on device: String? = nil) async throws -> CloudConnection {
        var connection = CloudConnection(
            transport: server.transport, deviceName: device,
            assetFolder: server.dataFolder.appendingPathComponent("devices/\(device ?? "none")")
        )
        connection.encryptionKey = CloudEncryptionKey(Data("the key of \(person ?? "nobody")".utf8))
        connection.operationFolder = server.dataFolder.appendingPathComponent(
            "devices/\(device ?? "none")-\(person ?? "nobody")/operations")
        let clock = clock
        connection.now = { clock.now }
        connection.pause = { try await clock.waitUntilAdvanced(by: $0) }
        connection.permissionPrompt = { [self] _, _ in grantsPermissions }
        connection.addressBook = { [self] in contacts.withLock { $0[person ?? ""] ?? [] } }
        if let person { connection = try await connection.signingIn(as: person) }
        return connection
    }

    /// Creates a container for a person on a device.
    ///
    /// - Throws: `CKError` when signing in fails.
    public func container(
        _ identifier: String, as person: String?, on device: String? = nil
    ) async throws -> CKContainer {
        CKContainer(identifier: identifier, connection: try await connection(of: person, on: device))
    }

    /// Sets the address book of a person, for all of the person's devices.
    public func setAddressBook(_ contacts: [CloudContact], of person: String) {
        self.contacts.withLock { $0[person] = contacts }
    }

    /// Sets the addresses and the given and family name of the account `person`; nil removes a value. Keeps
    /// the status of the account. Creates the account if it is missing.
    public func setAccount(
        _ person: String, email: String? = nil, phone: String? = nil, givenName: String? = nil,
        familyName: String? = nil
    ) async throws {
        let wanted = Account(
            person, email: email, phone: phone, givenName: givenName, familyName: familyName)
        if try await server.people.all.contains(where: { $0.name == person }) {
            try await server.people.change(person) { known in
                let status = known.status
                known = wanted
                known.status = status
            }
        } else {
            try await server.people.add(wanted)
        }
    }

    /// Sets the status of a person's account, as an operator does. Devices notice it with their next request.
    public func setStatus(_ status: AccountStatus, of person: String) async throws {
        try await server.people.change(person) { $0.status = status }
    }

    /// Stops the server and deletes its data, unless `start` was given a folder.
    public func stop() async {
        await server.stop()
    }
}

/// A clock that advances only by calls of `advance(bySeconds:)`. A test calls it, and the server of a world
/// calls it instead of waiting.
public final class WorldClock: Sendable {
    private struct State {
        var date: Date
        var waiting: [UUID: (until: Date, answer: CheckedContinuation<Void, Never>)] = [:]
    }

    private let state: Mutex<State>

    /// Creates a clock with this time.
    public init(_ date: Date) {
        state = Mutex(State(date: date))
    }

    /// The clock's current time.
    public var now: Date { state.withLock { $0.date } }

    /// Advances the clock and resumes the callers of `waitUntilAdvanced(by:)` whose time has come.
    public func advance(bySeconds seconds: TimeInterval) {
        let woken = state.withLock { state in
            state.date.addTimeInterval(seconds)
            let due = state.waiting.filter { $0.value.until <= state.date }
            for id in due.keys { state.waiting[id] = nil }
            return due.values.map(\.answer)
        }
        for answer in woken { answer.resume() }
    }

    /// The number of callers that wait in `waitUntilAdvanced(by:)`.
    public var waiting: Int { state.withLock { $0.waiting.count } }

    /// Waits until the clock has been advanced by `duration`.
    ///
    /// - Throws: `CancellationError` if the task is cancelled.
    public func waitUntilAdvanced(by duration: Duration) async throws {
        let id = UUID()
        await withTaskCancellationHandler {
            await withCheckedContinuation { answer in
                let mustWait = state.withLock { state in
                    let until = state.date.addingTimeInterval(duration / .seconds(1))
                    guard until > state.date, !Task.isCancelled else { return false }
                    state.waiting[id] = (until, answer)
                    return true
                }
                if !mustWait { answer.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: id)?.answer }?.resume()
        }
        try Task.checkCancellation()
    }

    /// Noon UTC on 2 June 2014, the day on which Apple introduced CloudKit.
    public static let beginning = Date(timeIntervalSince1970: 1_401_710_400)
}
