public import Foundation

/// Decides whether credentials may be sent to a server.
///
/// A configuration file that came with a folder may name a server of its author. Credentials are sent to such
/// a server only after the person has confirmed it for that folder. Credentials from the environment and from
/// the person's own file are never sent to it (`Configuration.settings`).
public enum CredentialRule {
    /// The situation in which the program decides.
    public enum Occasion: Equatable, Sendable {
        /// A person at the terminal can be asked.
        case terminal
        /// Nobody can be asked.
        case script
        /// A person pressed Tab, which is no request to send anything.
        case completion
    }

    /// The result of the decision.
    public enum Decision: Equatable, Sendable {
        /// There are no credentials, or they may be sent.
        case allowed
        /// The person must be asked about this server. If the answer is yes, it is stored.
        case ask(ProjectServer)
        /// The credentials may not be sent.
        case refused(ConfigurationError)
    }

    /// Whether the effective credentials may be sent to the effective server.
    ///
    /// - Parameters:
    ///   - way: How the person confirms a server, for the next step in the error.
    ///   - sendsMore: Whether the program also sends what the person types, such as a password.
    public static func decision(
        _ settings: Settings, _ confirmed: ConfirmedServers, on occasion: Occasion, way: String,
        sendsMore: Bool = false
    ) -> Decision {
        guard let server = settings.projectServer, sendsMore || !settings.credentials.isEmpty else {
            return .allowed
        }
        if confirmed.contains(server) { return .allowed }
        return occasion == .terminal ? .ask(server) : .refused(unconfirmed(server, way: way))
    }

    /// The question to the person about a server.
    public static func question(about server: ProjectServer, _ settings: Settings) -> String {
        let names = settings.credentials.joined(separator: " and ")
        let what = names.isEmpty ? "all that you type, including passwords," : "your credentials (\(names))"
        return "\(server.file) names the server \(server.address).\n"
            + "Send it \(what) from now on, whenever you use this folder?"
    }

    /// Decides, asks the person if necessary, and stores the answer yes.
    ///
    /// - Throws: `ConfigurationError` if the credentials may not be sent.
    public static func confirm(
        _ settings: Settings, in file: ConfirmedServersFile, on occasion: Occasion, way: String,
        sendsMore: Bool = false, ask: (_ question: String) -> Bool
    ) throws(ConfigurationError) {
        switch decision(settings, file.load(), on: occasion, way: way, sendsMore: sendsMore) {
        case .allowed: return
        case .refused(let error): throw error
        case .ask(let server):
            guard ask(question(about: server, settings)) else { throw unconfirmed(server, way: way) }
            try file.add(server)
        }
    }

    private static func unconfirmed(_ server: ProjectServer, way: String) -> ConfigurationError {
        ConfigurationError(
            place: server.file,
            reason: "it names the server \(server.address), which gets no credentials until you confirm it",
            nextStep: "if you trust the server, confirm it: \(way)")
    }

    // MARK: The operator's key

    /// Why the operator's key may not be sent to an address; nil if it may.
    ///
    /// Over plain http, everybody on the network path to another machine could read the key, which gives
    /// access to everything.
    public static func objection(
        toKeyAt address: URL, allowsPlainHTTP: Bool
    ) -> ConfigurationError? {
        if allowsPlainHTTP || address.scheme?.lowercased() == "https" || isThisMachine(address.host) {
            return nil
        }
        return ConfigurationError(
            place: address.absoluteString,
            reason: "over plain http, others on the network could read the operator's key",
            nextStep: "use https, or a tunnel to a port of this machine; to send it anyway: "
                + "--allow-plain-http")
    }

    /// Why the operator's key of a data folder may not be sent to the address in that folder; nil if it may.
    ///
    /// The server of a data folder runs on this machine. A folder that came from elsewhere could contain any
    /// address.
    public static func objection(toKeyOfFolderAt address: URL) -> ConfigurationError? {
        if isThisMachine(address.host) { return nil }
        return ConfigurationError(
            place: address.absoluteString,
            reason: "the data folder names this address for its server, but it is not an address of this "
                + "machine, so the folder's operator key is not sent to it",
            nextStep: "if it is your server, name it and its key: --server and --operator-key-file")
    }

    private static func isThisMachine(_ host: String?) -> Bool {
        guard let host = host?.lowercased().trimmingCharacters(in: CharacterSet(charactersIn: "[]")) else {
            return false
        }
        if ["localhost", "::1", "0.0.0.0", "::"].contains(host) { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}
