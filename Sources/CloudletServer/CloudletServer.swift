import CloudHTTP
import CloudService
public import Foundation
import Hummingbird
import Logging
import Records
public import RecordsWire
import ServerData
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
    package var foundFolderOpen: Bool { composition.folder.wasOpenToOthers }

    /// What goes wrong on purpose; nothing unless somebody adds a fault. A server that keeps its data and
    /// listens for others takes none.
    public let faults: FaultControls

    /// The people who can sign in.
    public var people: PeopleControls { PeopleControls(service: composition.service) }

    /// The containers, and what lets apps in.
    public var apps: AppControls { AppControls(service: composition.service) }

    /// Opens the operator's calls (below `/operator/1/`), as a bearer token. Whoever has it may do anything.
    public var operatorKey: String { composition.operatorKey }

    let composition: ServerComposition
    private let listener: Listener?

    private init(composition: ServerComposition, listener: Listener?) {
        self.composition = composition
        self.listener = listener
        transport = LoopbackTransport(
            responder: composition.responder, gate: composition.gate, clock: composition.clock)
        faults = FaultControls(injector: composition.faults, report: composition.service.runtime.report)
        url = listener?.url
        dataFolder = composition.folder.url
    }

    /// Starts a server.
    ///
    /// - Throws: `ServerError`, when the data folder cannot be used, is used by another process, the
    ///   certificate or what is said of proxies is unusable, or the address is taken.
    public static func start(_ configuration: ServerConfiguration) async throws -> CloudletServer {
        let encryption = try configuration.certificate?.encryption()
        let composition = try await ServerComposition(configuration)
        do {
            guard let port = configuration.port else {
                return CloudletServer(composition: composition, listener: nil)
            }
            let cap = ConnectionCap(
                configuration.connectionLimit, files: OpenFiles.limit,
                limits: configuration.limits, logger: configuration.logger)
            let register = ConnectionRegister(
                configuration.connectionsPerAddress.map { ConnectionBook(most: $0) }
                    ?? ConnectionBook(sharing: cap.most),
                proxies: try configuration.proxies(), logger: configuration.logger)
            let rules = ConnectionState.Rules(transfer: TransferMeter.Rules(configuration.limits))
            let listener = try await Listener.start(
                responder: composition.responder, host: configuration.host, port: port,
                encryption: encryption, cap: cap, builder: .compressing(rules, register),
                logger: configuration.logger
            )
            try? composition.folder.operatorFiles.announce(listener.url)
            return CloudletServer(composition: composition, listener: listener)
        } catch {
            await composition.close()
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
        composition.gate.close()
        composition.quieten()
        await listener?.stop()
        await composition.close()
    }
}

extension CloudletServer {
    /// The number of this release, as the server tells it.
    public static var release: String { Release.version }

    /// How this library was built, and the number of the layout of the data folders that it writes: one
    /// with a greater number is refused.
    public static var build: String {
        #if DEBUG
        let kind = "debug"
        #else
        let kind = "release"
        #endif
        return "\(kind) build, storage format \(DataFolder.format)"
    }
}
