import Cloudlet
import CommandShell
import Foundation

// Working without the server. A person who signs in by name while the server is unreachable has no session at
// first. The sign-in is pending, and is completed when the server can be reached.
extension CloudSession {
    /// The pause after the first failed attempt to sign in. It doubles with each further failure, up to
    /// `longestSignInPause`.
    static let firstSignInPause: TimeInterval = 5
    private static let longestSignInPause: TimeInterval = 300

    /// Whether the current person signed in while the server could not be reached, and has no session yet.
    public var isSignInPending: Bool { account.map { $0.session.webAuthToken == nil } ?? false }

    /// The line for a person who works without the server; nil for others.
    public var offlineLine: String? {
        guard isSignInPending, let person = account?.person else { return nil }
        return "offline: no server answers at \(server.description); the data on this device can be read and "
            + "written, and \(person) is signed in when the server answers"
    }

    /// Tries to complete a pending sign-in. Does nothing if none is pending, on a device whose simulated
    /// network reaches no server, and for a while after an attempt that reached no server, so that commands
    /// that need no server do not wait for it. After a refusal, it does not try again.
    public func completeSignInIfDue() async {
        guard isSignInPending, server.network.profile(of: device).reachesServer,
            environment.wallClock() >= nextSignIn.moment
        else { return }
        do {
            try await completeSignIn()
        } catch is CloudTransportError {
            return
        } catch {
            let shellError = ShellError(error)
            environment.tell(shellError.message + (shellError.remedy.map { "; try: \($0)" } ?? ""))
        }
    }

    /// Completes a pending sign-in. Does nothing if none is pending.
    ///
    /// - Throws: `CloudTransportError` if the server still cannot be reached, `ShellError` if it refuses.
    public func completeSignIn() async throws {
        guard isSignInPending, let account else { return }
        let token: String
        do {
            token = try await server.signIn(account.person)
        } catch let error as CloudTransportError {
            let pause = Self.firstSignInPause * pow(2, Double(min(nextSignIn.failures, 10)))
            let moment = environment.wallClock().addingTimeInterval(min(pause, Self.longestSignInPause))
            nextSignIn = (moment, nextSignIn.failures + 1)
            throw error
        } catch {
            // The server answers but refuses, for example because it needs a password. Another attempt would
            // fail, too.
            nextSignIn.moment = .distantFuture
            throw error
        }
        account.session.signIn(webAuthToken: token)
        environment.tell("the server answers again: signed in as \(account.person)")
    }
}

extension CloudTransportError {
    /// Whether no server has answered.
    var isWithoutServer: Bool {
        switch self {
        case .unreachable, .timedOut, .connectionLost: true
        case .file, .badTarget: false
        }
    }
}
