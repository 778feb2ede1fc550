public import Cloudlet
public import CloudletServer
public import Foundation
public import Records
import RecordsWire
import Synchronization

/// A server of its own with people on devices, for one test.
///
/// ```swift
/// let world = try await CloudletWorld.start()
/// let alice = try await world.container("iCloud.com.example.app", as: "alice", on: "phone")
/// try await alice.publicCloudDatabase.save(record)
/// await world.stop()
/// ```
///
/// Identifiers come from the seed, times from the clock, data goes with the world: the same test does the
/// same thing each time.
public final class CloudletWorld: Sendable {
    /// The server, which can be asked directly.
    public let server: CloudletServer

    /// What everybody in this world takes for the time.
    public let clock: WorldClock

    private let permission = Mutex(true)
    private let contacts = Mutex<[String: [CloudContact]]>([:])

    /// Whether people of this world say yes when an app asks them for a permission; at first they do.
    public var grantsPermissions: Bool {
        get { permission.withLock { $0 } }
        set { permission.withLock { $0 = newValue } }
    }

    private init(server: CloudletServer, clock: WorldClock) {
        self.server = server
        self.clock = clock
    }

    /// Starts a world.
    ///
    /// - Parameters:
    ///   - seed: makes identifiers; print it when a test fails.
    ///   - date: the time at which the world begins.
    ///   - port: nil keeps the server in process; 0 lets it listen on a free port as well.
    ///   - data: keeps the data in this folder, which stays, so that it can be backed up and served again;
    ///     nil: in a temporary one.
    ///   - limits: lower them to meet a limit with little data.
    ///   - access: open, where people sign in by name; or closed, where apps show tokens and people have
    ///     passwords.
    /// - Throws: `ServerError`.
    public static func start(
        seed: UInt64 = 1, at date: Date = WorldClock.beginning, port: Int? = nil,
        data: URL? = nil, limits: Limits = Limits(),
        access: ServerConfiguration.Access = .open
    ) async throws -> CloudletWorld {
        let clock = WorldClock(date)
        var configuration = ServerConfiguration(storage: data.map { .folder($0) } ?? .temporary)
        configuration.seed = seed
        configuration.clock = { clock.now }
        // A slow server costs the world's time, not the test's.
        configuration.pause = { clock.advance(bySeconds: TimeInterval($0.components.seconds)) }
        configuration.limits = limits
        configuration.port = port
        configuration.access = access
        return CloudletWorld(server: try await CloudletServer.start(configuration), clock: clock)
    }

    /// Starts a world as `start` does, lets `body` use it, and stops it, also when `body` throws.
    ///
    /// ```swift
    /// try await CloudletWorld.run { world in
    ///     let bob = try await world.container("iCloud.com.example.app", as: "bob")
    ///     #expect(try await bob.accountStatus() == .available)
    /// }
    /// ```
    ///
    /// - Throws: `ServerError`, and what `body` throws.
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

    /// A connection of a person on a device; nil for nobody, who may only read public data.
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
        connection.pause = { try await clock.pass($0) }
        connection.permissionPrompt = { [self] _, _ in grantsPermissions }
        connection.addressBook = { [self] in contacts.withLock { $0[person ?? ""] ?? [] } }
        if let person { connection = try await connection.signingIn(as: person) }
        return connection
    }

    /// A container as that person sees it on that device.
    ///
    /// - Throws: `CKError` when signing in fails.
    public func container(
        _ identifier: String, as person: String?, on device: String? = nil
    ) async throws -> CKContainer {
        CKContainer(identifier: identifier, connection: try await connection(of: person, on: device))
    }

    /// Sets whom a person of this world knows, on all devices.
    public func setAddressBook(_ contacts: [CloudContact], of person: String) {
        self.contacts.withLock { $0[person] = contacts }
    }

    /// Says what is known of somebody who has signed in, or will by that name.
    public func describe(
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

    /// Sets whether somebody may use the server, as an operator does. Devices hear of it with their next
    /// request.
    public func setStatus(_ status: AccountStatus, of person: String) async throws {
        try await server.people.change(person) { $0.status = status }
    }

    /// Ends the world; its data goes, unless it was given a folder.
    public func stop() async {
        await server.stop()
    }
}

/// A clock that stands still until it is told to go on.
public final class WorldClock: Sendable {
    private struct State {
        var date: Date
        var waiting: [UUID: (until: Date, answer: CheckedContinuation<Void, Never>)] = [:]
    }

    private let state: Mutex<State>

    /// A clock that stands at that date.
    public init(_ date: Date) {
        state = Mutex(State(date: date))
    }

    /// The present time in this world.
    public var now: Date { state.withLock { $0.date } }

    /// Lets time pass; whoever waits for a moment that has come goes on.
    public func advance(bySeconds seconds: TimeInterval) {
        let woken = state.withLock { state in
            state.date.addTimeInterval(seconds)
            let due = state.waiting.filter { $0.value.until <= state.date }
            for id in due.keys { state.waiting[id] = nil }
            return due.values.map(\.answer)
        }
        for answer in woken { answer.resume() }
    }

    /// How many wait for a later moment of this world.
    public var waiting: Int { state.withLock { $0.waiting.count } }

    /// Waits until so much time has passed in this world, which somebody else must let pass.
    ///
    /// - Throws: `CancellationError`.
    public func pass(_ duration: Duration) async throws {
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

    /// Noon UTC on 2 June 2014, when the first talk was given.
    public static let beginning = Date(timeIntervalSince1970: 1_401_710_400)
}
