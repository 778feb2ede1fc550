import ArgumentParser
import CloudletServer
import CommandShell

/// `--log-level LEVEL`, `--log-format FORMAT` and `--log-addresses FORM`.
struct LogOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "What is logged on standard error: error, warning, info or debug. Default: warning",
            discussion: """
                error: failures of the server. warning: also refusals, such as a full disk and throttled \
                sign-ins. info: also a line for each request. The lines contain no names of people or \
                records, and no tokens.
                """,
            valueName: "level"),
        completion: .list(ServerLog.levels))
    var logLevel: String?

    @Option(
        help: ArgumentHelp(
            "The form of the log: text, or json with one object a line. Default: text", valueName: "format"),
        completion: .list(ServerLog.formats))
    var logFormat: String?

    @Option(
        help: ArgumentHelp(
            "How much of clients' network addresses is logged: none, network (/24 or /48) or address. "
                + "Default: network",
            valueName: "form"),
        completion: .list(ServerLog.addressForms))
    var logAddresses: String?

    func validate() throws {
        try Self.check("--log-level", logLevel, ServerLog.levels)
        try Self.check("--log-format", logFormat, ServerLog.formats)
        try Self.check("--log-addresses", logAddresses, ServerLog.addressForms)
    }

    private static func check(_ flag: String, _ value: String?, _ choices: [String]) throws {
        guard let value, !choices.contains(value) else { return }
        throw ValidationError("\(flag) takes one of \(choices.joined(separator: ", ")), not \(value).")
    }

    /// The settings of the log.
    static func log(_ settings: Settings) -> ServerLog {
        ServerLog(
            level: settings["log-level"], format: settings["log-format"],
            addresses: settings["log-addresses"])
    }

    /// The values of the flags.
    var flags: [String: String?] {
        ["log-level": logLevel, "log-format": logFormat, "log-addresses": logAddresses]
    }
}

extension ServerLog {
    /// Logs a message about the server's process.
    func say(_ message: String, as level: Level = .info) {
        if !logAsJSON(message, as: level) { Messages.say(message) }
    }
}
