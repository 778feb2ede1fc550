// Owns how a command asks a server: the operator's calls, over a socket or within the process.

import Cloudlet
import CloudletServer
import CommandShell
import Foundation
import Records
import RecordsWire

/// One of the operator's calls as a client makes it.
struct OperatorCall {
    let method: CloudRequest.Method
    /// Below `/operator/1/`, encoded for an address.
    let path: String
    var body: [UInt8] = []

    /// A call that reads. Names in the path are given apart, so that they are encoded.
    static func get(_ parts: String...) -> OperatorCall {
        OperatorCall(method: .get, path: joined(parts))
    }

    /// A call that changes; `body` writes the members of its object.
    static func post(_ parts: String..., body: (inout JSONWriter) -> Void = { _ in }) -> OperatorCall {
        var json = JSONWriter()
        json.beginObject()
        body(&json)
        json.endObject()
        return OperatorCall(method: .post, path: joined(parts), body: json.bytes)
    }

    private static func joined(_ parts: [String]) -> String {
        parts.map(PercentEncoding.encode).joined(separator: "/")
    }
}

/// Speaks to one server as its operator.
struct OperatorClient: Sendable {
    private let transport: any CloudTransport
    private let key: String
    private let place: String

    /// A client of a server elsewhere. Throws when the key may not go there as it would.
    init(address: String, key: String, allowsPlainHTTP: Bool = false) throws {
        guard let url = URL(string: address), let scheme = url.scheme, ["http", "https"].contains(scheme)
        else {
            throw RecordError(
                .badRequest, "the server's address is none", culprit: address,
                nextStep: "give one such as http://127.0.0.1:8080"
            )
        }
        let objection = CredentialRule.objection(toKeyAt: url, allowsPlainHTTP: allowsPlainHTTP)
        if let objection { throw objection }
        self.init(transport: HTTPTransport(url: url), key: key, place: address)
    }

    /// A client of a server in this process.
    init(of server: CloudletServer) {
        self.init(transport: server.transport, key: server.operatorKey, place: server.dataFolder.path)
    }

    private init(transport: any CloudTransport, key: String, place: String) {
        self.transport = transport
        self.key = key
        self.place = place
    }

    /// Does some work with the server that runs on a folder; if none does, with one for the time of the work.
    static func with<Result: Sendable>(
        dataFolder: URL, _ work: (OperatorClient) async throws -> Result
    ) async throws -> Result {
        do {
            let server = try await CloudletServer.start(data: dataFolder)
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
            guard let client = try running(on: dataFolder) else { throw error }
            return try await work(client)
        }
    }

    /// Does some work for a completion: only with a server that runs on a folder which the person named.
    /// Nothing is made, locked or changed, since pressing Tab asks for nothing.
    static func completing<Result: Sendable>(
        _ settings: Settings, _ work: (OperatorClient) async throws -> Result
    ) async throws -> Result {
        let layers: [Configuration.Layer] = [.flags, .environment, .user]
        guard let folder = settings["data"].map({ URL(fileURLWithPath: $0) }),
            layers.contains(settings.layer(of: "data")), let client = try running(on: folder)
        else {
            throw RecordError(
                .notFound, "no server runs on a folder that the person named", nextStep: "start one")
        }
        return try await work(client)
    }

    /// A client of the server that runs on a folder; nothing when none does. Throws when the folder's key
    /// may not go to the address that the folder names.
    static func running(on dataFolder: URL) throws -> OperatorClient? {
        let access = OperatorAccess(dataFolder: dataFolder)
        guard access.isInUse, let url = access.url, let key = access.key else { return nil }
        if let objection = CredentialRule.objection(toKeyOfFolderAt: url) { throw objection }
        return try OperatorClient(address: url.absoluteString, key: key)
    }

    /// A session of a person, made by name alone, which an open server allows.
    func signIn(
        _ name: String, to container: String
    ) async throws -> (token: String, userRecordName: String) {
        let call = OperatorCall.post { json in
            json.member("name", name)
            json.member("container", container)
        }
        let session = try JSONDocument(try await answer(to: call, at: "/dev/sign-in")).root
        return (
            try session.required("ckWebAuthToken").string(),
            try session.required("userRecordName").string()
        )
    }

    /// The body of the answer to a call. Throws `RecordError`: the server's, or that it cannot be reached.
    func answer(to call: OperatorCall) async throws -> [UInt8] {
        try await answer(to: call, at: "/operator/1/" + call.path)
    }

    private func answer(to call: OperatorCall, at target: String) async throws -> [UInt8] {
        let request = CloudRequest(
            call.method, target,
            headers: ["Authorization": "Bearer " + key, "Content-Type": "application/json"],
            body: call.method == .get ? .none : .bytes(call.body)
        )
        do {
            let response = try await transport.send(request)
            if response.status == 200 { return response.bytes }
            throw RecordError(status: response.status, body: response.bytes)
        } catch let error as CloudTransportError {
            throw RecordError(
                .internalError, "\(error)", culprit: place,
                nextStep: "check that the server runs: cloudlet doctor"
            )
        }
    }
}
