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
/// let server = try await CloudletServer.start(.ephemeral)             // in process, deletes its data
/// let server = try await CloudletServer.start(data: folder, port: 0)  // listens on a free port, closed
/// …
/// await server.stop()
/// ```
///
/// Callers in the same process use `transport`, which passes requests to the same responder as a socket does;
/// other callers use `url`. Any number of servers can run in one process, each with its own data folder.
public final class CloudletServer: Sendable {
    /// Sends requests to this server without a socket. The answers are those that a client of `url` gets, but
    /// the limits on connections do not apply.
    public let transport: any CloudTransport

    /// The URL on which the server listens, such as `http://127.0.0.1:49152`; `https:` with a certificate.
    /// nil if it serves this process only.
    public let url: URL?

    /// The folder with the server's data; a temporary folder for an ephemeral server.
    public let dataFolder: URL

    /// Whether other users of the machine could read the data folder until this server restricted its
    /// permissions.
    package var foundFolderOpen: Bool { composition.folder.wasOpenToOthers }

    /// The injected faults. There are none until the program adds one or, on an open server, a request does.
    /// A server that keeps its data and listens on a port accepts none.
    public let faults: FaultControls

    /// The people who can sign in.
    public var people: PeopleControls { PeopleControls(service: composition.service) }

    /// The containers, API tokens and server-to-server keys.
    public var apps: AppControls { AppControls(service: composition.service) }

    /// The bearer token for the operator's calls (below `/operator/1/`). It permits every operation.
    public var operatorKey: String { composition.operatorKey }

    let composition: ServerComposition
    private let listener: Listener?
    /// Writes the server's address if that has failed at the start; owned by this server, ended by `stop`.
    private let addressWriting: Task<Void, Never>?

    private init(
        composition: ServerComposition, listener: Listener?, addressWriting: Task<Void, Never>? = nil
    ) {
        self.composition = composition
        self.listener = listener
        self.addressWriting = addressWriting
        transport = LoopbackTransport(
            responder: composition.responder, gate: composition.gate, clock: composition.clock)
        faults = FaultControls(injector: composition.faults, report: composition.service.runtime.report)
        url = listener?.url
        dataFolder = composition.folder.url
    }

    /// Starts a server.
    ///
    /// - Throws: `ServerError` if the data folder cannot be used or another process uses it, if the settings
    ///   are invalid (certificate, proxies, URLs, alerts, Apple push, PostgreSQL), or if the server cannot
    ///   listen on the address.
    public static func start(_ configuration: ServerConfiguration) async throws -> CloudletServer {
        let encryption = try configuration.certificate?.encryption()
        encryption?.checkTerm(at: configuration.clock(), configuration.logger)
        let composition = try await ServerComposition(configuration)
        do {
            guard let port = configuration.port else {
                return CloudletServer(composition: composition, listener: nil)
            }
            let cap = ConnectionCap(
                configuration.connectionLimit, files: OpenFiles.limit,
                limits: configuration.limits, logger: configuration.logger)
            let register = ConnectionRegister(
                configuration.connectionsPerAddress.map { ConnectionCounts(most: $0) }
                    ?? ConnectionCounts(sharing: cap.most),
                proxies: try configuration.proxies(),
                refusals: composition.service.runtime.refusals, logger: configuration.logger)
            let rules = ConnectionState.Rules(
                transfer: TransferMeter.Rules(configuration.limits),
                headBytes: configuration.limits.requestHeadBytes)
            let listener = try await Listener.start(
                responder: composition.responder, host: configuration.host, port: port,
                encryption: encryption, cap: cap, builder: .watched(rules, register),
                logger: configuration.logger
            )
            let (files, address) = (composition.folder.operatorFiles, listener.url)
            let certificate = encryption?.certificate
            let addressWriting = AddressWriter.write(
                files.addressFile.path, runtime: composition.service.runtime
            ) { try files.announce(address, certificate: certificate) }
            return CloudletServer(
                composition: composition, listener: listener, addressWriting: addressWriting)
        } catch {
            await composition.close()
            throw error
        }
    }

    /// Starts a server on a data folder, which is created if necessary. A server that listens is closed; see
    /// `ServerConfiguration.access`.
    ///
    /// - Parameters:
    ///   - data: The data folder. Only one process at a time may use it.
    ///   - port: The port to listen on; 0 for a free one, nil to serve this process only.
    /// - Throws: `ServerError`.
    public static func start(data: URL, port: Int? = nil) async throws -> CloudletServer {
        var configuration = ServerConfiguration(storage: .folder(data))
        configuration.port = port
        return try await start(configuration)
    }

    /// Makes `GET /ready` answer 503 from now on, so that a load balancer sends no further requests. The
    /// requests of clients of `url` are still answered until `stop`; those of `transport` are refused.
    package func announceStop() { composition.gate.close() }

    /// Stops listening, waits for requests in progress, and closes the databases. Deletes the data of an
    /// ephemeral server.
    ///
    /// After `Listener.shutdownTimeout`, requests in progress are cancelled, and their writes are rolled
    /// back. Acknowledged writes are kept, except those of an ephemeral server. Calling it again does
    /// nothing.
    public func stop() async {
        composition.gate.close()
        composition.closePushConnections()
        // A task of its own: the task of the caller may be cancelled already, and must not end the wait.
        let timer = Task { [composition] in
            guard (try? await Task.sleep(for: Listener.shutdownTimeout)) != nil else { return }
            composition.databases.interruptWrites()
        }
        defer { timer.cancel() }
        addressWriting?.cancel()
        await addressWriting?.value
        await listener?.stop()
        await composition.close()
    }
}

extension CloudletServer {
    /// The version of this release, which the server also reports.
    public static var release: String { SoftwareVersion.version }

    /// The build configuration of this library and the newest version of the data folder's layout that it
    /// reads. Folders with a newer layout are refused.
    public static var build: String {
        #if DEBUG
        let kind = "debug"
        #else
        let kind = "release"
        #endif
        return "\(kind) build, storage format \(DataFolder.newestFormat)"
    }
}
