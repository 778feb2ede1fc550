public import Foundation

/// Decides whether credentials are sent.
///
/// A file of settings that came with a folder may name a server of its author. So credentials go to a
/// server that such a file names only once the person has confirmed that server for that folder, whoever
/// gave the credentials. Those of the environment and of the person's own file do not go there at all
/// (`Configuration.settings`).
public enum CredentialRule {
    /// What the program does while it decides.
    public enum Occasion: Equatable, Sendable {
        /// Somebody sits at the terminal and can be asked.
        case terminal
        /// Nobody can be asked.
        case script
        /// Somebody presses Tab, and has not asked for anything to be sent.
        case completion
    }

    /// What comes of it.
    public enum Decision: Equatable, Sendable {
        /// There are no credentials, or they may go.
        case allowed
        /// The person is asked about this server, and the answer remembered if it is yes.
        case ask(ProjectServer)
        /// They do not go.
        case refused(ConfigurationError)
    }

    /// Whether the credentials that count may go to the server that counts.
    ///
    /// - Parameters:
    ///   - way: How the person confirms a server, for the next step of the error.
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

    /// What is asked about a server.
    public static func question(about server: ProjectServer, _ settings: Settings) -> String {
        let names = settings.credentials.joined(separator: " and ")
        let what = names.isEmpty ? "what you type, passwords too," : "your credentials (\(names))"
        return "\(server.file) names the server \(server.address).\n"
            + "Send it \(what) from now on, whenever this folder is used?"
    }

    /// Decides, asks if need be, and remembers a yes. Throws when the credentials do not go.
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
            nextStep: "if you trust it with them: \(way)")
    }

    // MARK: The operator's key

    /// Why the operator's key may not go to an address; nothing when it may.
    ///
    /// Over plain http anybody on the way to another machine reads the key, which opens everything.
    public static func objection(
        toKeyAt address: URL, allowsPlainHTTP: Bool
    ) -> ConfigurationError? {
        if allowsPlainHTTP || address.scheme?.lowercased() == "https" || isThisMachine(address.host) {
            return nil
        }
        return ConfigurationError(
            place: address.absoluteString,
            reason: "over plain http anybody on the way could read the operator's key",
            nextStep: "use https, or a tunnel to a port of this machine; to send it all the same: "
                + "--allow-plain-http")
    }

    /// Why the key of a data folder may not go to the address that stands in the folder; nothing when it may.
    ///
    /// The server of a folder runs on this machine. A folder that came from elsewhere may name any address.
    public static func objection(toKeyOfFolderAt address: URL) -> ConfigurationError? {
        if isThisMachine(address.host) { return nil }
        return ConfigurationError(
            place: address.absoluteString,
            reason: "the data folder says that its server listens there, which is not this machine's own "
                + "address, so the operator's key of the folder does not go there",
            nextStep: "if it is your server: --server and --operator-key-file name it and its key")
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
