// Clients for a remote server, for the server that runs on a data folder, and for a server in this process.

import Cloudlet
import CloudletServer
import CommandShell
import Foundation
import Records
import RecordsWire

extension OperatorClient {
    /// Creates a client for a remote server. It trusts the certificates in a PEM file, or else the system's.
    ///
    /// - Throws: `RecordError` if the address is invalid, `CKError` if the file has no certificate,
    ///   `ConfigurationError` if the key would be sent over plain http to another machine without
    ///   `allowsPlainHTTP`.
    init(
        address: String, key: String, allowsPlainHTTP: Bool = false, trustedCertificates: URL? = nil
    ) throws {
        guard let url = URL(string: address), let scheme = url.scheme, ["http", "https"].contains(scheme)
        else {
            throw RecordError(
                .badRequest, "the server's address is not an http or https URL", culprit: address,
                nextStep: "give one such as http://127.0.0.1:8080"
            )
        }
        let objection = CredentialRule.objection(toKeyAt: url, allowsPlainHTTP: allowsPlainHTTP)
        if let objection { throw objection }
        let transport =
            try trustedCertificates.map { try HTTPTransport(url: url, trustingCertificatesIn: $0) }
            ?? HTTPTransport(url: url)
        self.init(transport: transport, key: key, place: address)
    }

    /// Creates a client for a server in this process.
    init(of server: CloudletServer) {
        self.init(transport: server.transport, key: server.operatorKey, place: server.dataFolder.path)
    }

    /// Runs work with the server that runs on a data folder. If none does, it starts one for the duration of
    /// the work.
    ///
    /// - Parameters:
    ///   - database: The address of the PostgreSQL database with the records; nil if they are in the folder.
    ///   - assets: The bucket with the files of assets; nil if they are in the folder.
    ///   - timeout: The longest wait for an answer of a server that runs already.
    static func with<Result: Sendable>(
        dataFolder: URL, database: String?, assets: AssetBucket?, timeout: Duration,
        _ work: (OperatorClient) async throws -> Result
    ) async throws -> Result {
        do {
            var configuration = ServerConfiguration(storage: .folder(dataFolder))
            configuration.database = database
            configuration.assets = assets
            let server = try await CloudletServer.start(configuration)
            let client = OperatorClient(of: server)
            do {
                let result = try await work(client)
                await server.stop()
                return result
            } catch {
                await server.stop()
                throw error
            }
        } catch let error as ServerError where error.code == .folderInUse {
            guard var client = try running(on: dataFolder) else { throw error }
            client.timeout = timeout
            return try await work(client)
        }
    }

    /// Runs work for a completion, only with a server that runs on a folder which the person named. It
    /// creates, locks and changes nothing, because pressing Tab is no request to do so.
    static func completing<Result: Sendable>(
        _ settings: Settings, _ work: (OperatorClient) async throws -> Result
    ) async throws -> Result {
        let layers: [Configuration.Layer] = [.flags, .environment, .user]
        guard let folder = settings["data"].map({ URL(fileURLWithPath: $0) }),
            layers.contains(settings.layer(of: "data")), let client = try running(on: folder)
        else {
            throw RecordError(
                .notFound, "no server runs on the named data folder", nextStep: "start one: cloudlet serve")
        }
        return try await work(client)
    }

    /// A client for the server that runs on a data folder; nil if none does.
    ///
    /// - Throws: `ConfigurationError` if the folder's operator key may not be sent to the address in the
    ///   folder.
    static func running(on dataFolder: URL) throws -> OperatorClient? {
        let access = OperatorAccess(dataFolder: dataFolder)
        guard access.isInUse, let url = access.url, let key = access.key else { return nil }
        if let objection = CredentialRule.objection(toKeyOfFolderAt: url) { throw objection }
        return OperatorClient(
            transport: try access.transport(to: url), key: key, place: url.absoluteString)
    }
}

extension OperatorAccess {
    /// A transport to the server that runs on the data folder. With TLS, it trusts exactly the certificate
    /// that the server has written into the folder: the address there is one of this machine, which the
    /// certificate need not name.
    ///
    /// - Throws: `CKError` if the folder has an unreadable certificate.
    func transport(to url: URL) throws -> HTTPTransport {
        try certificate.map { try HTTPTransport(url: url, trustingExactly: $0) } ?? HTTPTransport(url: url)
    }
}
