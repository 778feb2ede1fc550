// Owns signing in, and finding out who asks.

import Crypto
import RecordStore
package import Records
import Synchronization

/// What a person gets who signs in.
package struct SignIn: Hashable, Sendable {
    package var webAuthToken: String
    /// The person's record name in the container that was named; nil if none was.
    package var userRecordName: String?
}

extension CloudService {
    /// Throws `accessDenied` unless people may sign in by name, which makes a server one for development.
    package func checkDevelopment(_ culprit: String) throws(RecordError) {
        if allowsSignInByName { return }
        throw RecordError(
            .accessDenied, "signing in by name is switched off", culprit: culprit,
            nextStep: "start the server in development mode to use it"
        )
    }

    /// Signs a person in by name: for development, where the name is enough.
    package func signIn(name: String, container: String?) async throws -> SignIn {
        try checkDevelopment("dev/sign-in")
        try NameRules.checkPersonName(name)
        if let container { try await enter(container) }
        let account = try await directory.account(named: name, newID: seams.randomHex(bytes: 16))
        let token = seams.randomHex(bytes: 32)
        try await directory.addSession(hash: Self.hash(token), account: account, at: seams.now())
        var userRecordName: String?
        if let container { userRecordName = try await recordName(of: account, in: container) }
        return SignIn(webAuthToken: token, userRecordName: userRecordName)
    }

    /// Who shows these credentials.
    ///
    /// Throws `authenticationFailed` for a token that is nobody's.
    package func caller(
        _ credentials: Credentials, container: String, environment: CloudEnvironment
    ) async throws -> Caller {
        try await enter(container)
        var caller = Caller(
            container: container, environment: environment, identity: .anonymous, device: credentials.device
        )
        guard let token = credentials.webAuthToken else { return caller }
        if let name = sessions.withLock({ $0[token, container] }) {
            caller.identity = .person(name)
            return caller
        }
        guard let account = try await directory.account(ofSession: Self.hash(token)) else {
            throw RecordError(
                .authenticationFailed, "the web auth token is not valid", culprit: "ckWebAuthToken",
                nextStep: "sign in again to get a new one"
            )
        }
        let name = try await recordName(of: account, in: container)
        sessions.withLock { $0[token, container] = name }
        caller.identity = .person(name)
        return caller
    }

    /// The record name of the person who asks. Throws `authenticationRequired` for the anonymous, and for
    /// keys.
    package func userRecordName(of caller: Caller) throws -> String {
        guard case .person(let name) = caller.identity else { throw RecordError.signInRequired }
        return name
    }

    private func recordName(of account: Account, in container: String) async throws -> String {
        try await directory.userRecordName(
            of: account, in: container, candidate: "_" + seams.randomHex(bytes: 16)
        )
    }

    /// What is kept of a token: enough to know it again, too little to use it.
    private static func hash(_ token: String) -> [UInt8] {
        Array(SHA256.hash(data: Array(token.utf8)))
    }
}
