// Owns the settings of a server.

public import Foundation
public import Logging

/// How a server runs.
public struct ServerConfiguration: Sendable {
    /// Where a server keeps its data.
    public enum Storage: Sendable {
        /// In a temporary folder that goes when the server stops.
        case temporary
        /// In this folder, for good: an acknowledged write survives the loss of power.
        case folder(URL)
    }

    /// Where the server keeps its data.
    public var storage: Storage
    /// The address to listen on.
    public var host = "127.0.0.1"
    /// The port to listen on: 0 takes a free one, nil serves this process only.
    public var port: Int?
    /// The address under which clients reach the server, if they name another (behind a proxy); no slash at
    /// its end.
    public var publicURL: String?
    /// What the server takes for the present time.
    public var clock: @Sendable () -> Date
    /// How the server lets time pass when a fault makes it slow.
    public var pause: @Sendable (Duration) async throws -> Void
    /// What a request, a record and the server may hold.
    public var limits = ServerLimits()
    /// Makes identifiers and keys reproducible; nil takes them from the system. Never set it where secrets
    /// matter.
    public var seed: UInt64?
    /// Whether people may sign in by name alone.
    public var allowsSignInByName = true
    /// Where the server writes what an operator should know.
    public var logger: Logger

    /// The settings of a server for this process; what is not said has its default.
    public init(storage: Storage) {
        self.storage = storage
        clock = { Date() }
        pause = { try await Task.sleep(for: $0) }
        var logger = Logger(label: "cloudlet")
        logger.logLevel = .error
        self.logger = logger
    }

    /// A server for this process that leaves nothing behind.
    public static var ephemeral: ServerConfiguration { ServerConfiguration(storage: .temporary) }
}
