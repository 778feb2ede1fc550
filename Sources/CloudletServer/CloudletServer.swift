import CloudHTTP
import CloudService
public import Foundation
import Hummingbird
import Logging
public import RecordsWire
import ServiceLifecycle

/// A record server in this process.
///
/// ```swift
/// let server = try await CloudletServer.start(.ephemeral)             // in process, nothing kept
/// let server = try await CloudletServer.start(data: folder, port: 0)  // listening on a free port, closed
/// …
/// await server.stop()
/// ```
///
/// Callers in the same process use `transport`, which hands requests to the same router as a socket does;
/// others use `url`. Any number of servers can run in one process, each with a data folder of its own.
public final class CloudletServer: Sendable {
    /// Carries requests to this server without a port: the same bytes through the same router.
    public let transport: any CloudTransport

    /// Where the server listens, `http://127.0.0.1:49152` for example, `https:` with a certificate; nil if it
    /// serves this process only.
    public let url: URL?

    /// Where the server keeps its data; a temporary folder for an ephemeral server.
    public let dataFolder: URL

    /// Whether other users of the machine could look into the data folder until this server closed it.
    package var foundFolderOpen: Bool { house.folder.wasOpenToOthers }

    /// What goes wrong on purpose; nothing unless somebody adds a fault.
    public let faults: FaultControls

    /// The people who can sign in.
    public var people: PeopleControls { PeopleControls(service: house.service) }

    /// The containers, and what lets apps in.
    public var apps: AppControls { AppControls(service: house.service) }

    /// Opens the operator's calls (below `/operator/1/`), as a bearer token. Whoever has it may do anything.
    public var operatorKey: String { house.operatorKey }

    let house: House
    private let listener: Listener?

    private init(house: House, listener: Listener?) {
        self.house = house
        self.listener = listener
        transport = LoopbackTransport(responder: house.responder, gate: house.gate, clock: house.clock)
        faults = FaultControls(desk: house.faults)
        url = listener?.url
        dataFolder = house.folder.url
    }

    /// Starts a server.
    ///
    /// - Throws: `ServerError`, when the data folder cannot be used, is used by another process, the
    ///   certificate or what is said of proxies is unusable, or the address is taken.
    public static func start(_ configuration: ServerConfiguration) async throws -> CloudletServer {
        let encryption = try configuration.certificate?.configuration()
        let house = try await House(configuration)
        do {
            guard let port = configuration.port else { return CloudletServer(house: house, listener: nil) }
            let cap = ConnectionCap(
                configuration.connectionLimit, files: OpenFiles.limit,
                limits: configuration.limits, logger: configuration.logger)
            let register = ConnectionRegister(
                configuration.connectionsPerAddress.map { ConnectionBook(most: $0) }
                    ?? ConnectionBook(sharing: cap.most),
                proxies: try configuration.proxies(), logger: configuration.logger)
            let rules = ConnectionState.Rules(transfer: TransferMeter.Rules(configuration.limits))
            let listener = try await Listener.start(
                responder: house.responder, host: configuration.host, port: port, encryption: encryption,
                cap: cap, builder: .compressing(rules, register), logger: configuration.logger
            )
            try? house.folder.operatorFiles.announce(listener.url)
            return CloudletServer(house: house, listener: listener)
        } catch {
            await house.close()
            throw error
        }
    }

    /// Starts a server on a data folder, which is made if it is not there. One that listens is closed to
    /// strangers; see `ServerConfiguration.access`.
    ///
    /// - Parameters:
    ///   - data: the folder; one process at a time may use it.
    ///   - port: the port to listen on; 0 takes a free one, nil serves this process only.
    /// - Throws: `ServerError`.
    public static func start(data: URL, port: Int? = nil) async throws -> CloudletServer {
        var configuration = ServerConfiguration(storage: .folder(data))
        configuration.port = port
        return try await start(configuration)
    }

    /// Stops listening, lets what is under way end, and closes the databases; an ephemeral server's data
    /// goes.
    ///
    /// Whatever was acknowledged is on disk before and after. Calling it again does nothing.
    public func stop() async {
        house.gate.close()
        house.quieten()
        await listener?.stop()
        await house.close()
    }
}
