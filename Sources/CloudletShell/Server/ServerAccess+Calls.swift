import Cloudlet
package import CommandShell
import Foundation
package import Records
import RecordsWire

extension ServerAccess {
    /// The hint on how to provide the key of a remote server.
    static let keyHint = "CLOUDLET_OPERATOR_KEY_FILE=FILE, with the operator.key of its data folder"

    /// The longest wait for an answer of a server in another process, which is the default of `CKOperation`;
    /// nil for a server in this process.
    private var responseTimeout: Duration? { isEmbedded ? nil : .seconds(60) }

    /// Makes a call of the server.
    ///
    /// Throws `RecordError` when the server refuses, `CloudTransportError` when it cannot be reached, and a
    /// `ShellError` for an operator's call without the key.
    ///
    /// - Parameter token: The web auth token of the person, for calls that require one.
    func send<Call: ServerCall>(_ call: Call, token: String? = nil) async throws -> Call.Answer {
        if Call.endpoint.authority == .operatorKey, operatorKey == nil { throw missingKey }
        return try await transport.send(
            call, as: RequestParameters(webAuthToken: token), key: operatorKey, idleTimeout: responseTimeout)
    }

    private var missingKey: ShellError {
        if let keyObjection {
            return ShellError(
                code: "plainHTTP", message: "\(keyObjection.place): \(keyObjection.reason)",
                remedy: keyObjection.nextStep)
        }
        return ShellError(
            code: "notEmbedded", message: "this command needs the operator's key of the server",
            remedy: Self.keyHint)
    }
}

extension RecordError: ShellErrorConvertible {
    /// The server's error as a shell prints it. Its code is derived from that of the web services:
    /// `badRequest` for `BAD_REQUEST`.
    package var shellError: ShellError {
        let words = code.wireName.lowercased().split(separator: "_").map(String.init)
        let word = words.prefix(1).joined() + words.dropFirst().map(\.capitalized).joined()
        return ShellError(code: word, message: reason, remedy: nextStep)
    }
}

extension CloudSession.ContainerEnvironment {
    /// The environment as `CloudEnvironment`.
    var callEnvironment: CloudEnvironment { environment == .production ? .production : .development }
}
