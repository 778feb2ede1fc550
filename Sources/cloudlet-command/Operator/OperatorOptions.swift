import ArgumentParser
import CloudletServer
import CommandShell
import Foundation
import Records
import RecordsWire

/// `--server URL --operator-key-file FILE`, or `--data DIR`; and `--json`.
///
/// With `--data`, the command calls the server that runs on the folder, or starts one for the duration of the
/// command. The calls are the same.
struct OperatorOptions: ParsableArguments {
    @Option(help: "The address of a running server. Default: CLOUDLET_URL, unless --data is given")
    var server: String?

    @Option(
        help: "The file with the server's operator key. Default: CLOUDLET_OPERATOR_KEY_FILE",
        completion: .file())
    var operatorKeyFile: String?

    @Option(
        help: "The server's data folder; the server may be running. Default: ./cloudlet-data",
        completion: .directory)
    var data: String?

    @Flag(
        name: .customLong("allow-plain-http"),
        help: "Send the operator's key over http to another machine, where others may read it.")
    var allowPlainHTTP = false

    @Option(
        help: "With --server: trust the certificates in this PEM file, in place of the system's.",
        completion: .file())
    var trustCertificate: String?

    @Option(help: "Seconds to wait for the server's answer to a request. Default: \(Self.defaultTimeout)")
    var timeout: Int?

    @Flag(help: "Print the server's response as JSON; errors too, on standard error.")
    var json = false

    /// The default timeout in seconds. It is longer than any call takes, except the deployment of a schema to
    /// very many records.
    static let defaultTimeout = 60
    static let timeouts: ClosedRange<UInt64> = 1...86_400

    func validate() throws {
        if let timeout, !Self.timeouts.contains(UInt64(clamping: timeout)) {
            throw ValidationError(
                "--timeout takes \(Self.timeouts.lowerBound) to \(Self.timeouts.upperBound) seconds, "
                    + "not \(timeout).")
        }
        if data != nil, server != nil {
            throw ValidationError("--data and --server exclude each other; give one of them.")
        }
        try ServerPlace.check(folder: data)
    }

    /// Makes a call and prints its answer: unchanged with `--json`, otherwise as `text` formats it.
    func call<Call: ServerCall>(_ call: Call, text: (Call.Answer) throws -> Listing) async throws {
        try await withOperator { client in
            if json {
                try StandardOutput.writeJSON(try await client.bytes(of: call))
            } else {
                try text(try await client.send(call)).say()
            }
        }
    }

    /// Makes a call and returns its answer.
    func answer<Call: ServerCall>(to call: Call) async throws -> Call.Answer {
        try await withOperator { try await $0.send(call) }
    }

    /// Runs work with a client for the server that the options and settings name.
    ///
    /// - Parameter loss: What a server loses when it stops, if the command reads only that. Such a command
    ///   starts no server on a folder, because a new server would not have it.
    /// - Throws: `ConfigurationError` if the operator key may not be sent to that server.
    func withOperator<Result: Sendable>(
        isCompleting: Bool = false, losing loss: String? = nil,
        _ work: (OperatorClient) async throws -> Result
    ) async throws -> Result {
        let settings = try CommandSettings.settings([
            "server": server, "data": data, "operator-key-file": operatorKeyFile,
            "trust-certificate": trustCertificate, "timeout": timeout.map(String.init),
        ])
        let timeout = Duration.seconds(settings["timeout"].flatMap { Int($0) } ?? Self.defaultTimeout)
        if let address = settings["server"] {
            let certificates = try ConfigurationKey.trustedCertificates(in: settings)
            try confirmServer(settings, isCompleting: isCompleting)
            var client = try OperatorClient(
                address: address, key: try givenKey(settings), allowsPlainHTTP: allowPlainHTTP,
                trustedCertificates: certificates)
            client.timeout = timeout
            return try await work(client)
        }
        if isCompleting { return try await OperatorClient.completing(settings, work) }
        let folder = URL(fileURLWithPath: try CommandSettings.dataFolder(settings))
        guard access(folder.path, F_OK) == 0 else {
            if errno == EACCES {
                throw RecordError(
                    .accessDenied, "this user has no access to the data folder \(folder.path)",
                    nextStep: "run the same command as the user who runs the server: sudo -u USER cloudlet …")
            }
            throw RecordError(
                .notFound, "there is no data folder at \(folder.path)",
                nextStep: "name another with --data, or create it: cloudlet serve --data \(folder.path)"
            )
        }
        if let loss {
            var client = try Self.client(on: folder, losing: loss)
            client.timeout = timeout
            return try await work(client)
        }
        return try await OperatorClient.with(
            dataFolder: folder, database: try DatabaseAddress.of(settings),
            assets: try AssetOptions.bucket(settings), timeout: timeout, work)
    }

    /// A client for the server that runs on a folder. Throws `notFound` if none does.
    private static func client(on folder: URL, losing loss: String) throws -> OperatorClient {
        if let client = try OperatorClient.running(on: folder) { return client }
        throw RecordError(
            .notFound, "no server runs on the data folder, and a server loses \(loss) when it stops",
            culprit: folder.path, nextStep: "start it: cloudlet serve --data \(folder.path)")
    }

    private func confirmServer(_ settings: Settings, isCompleting: Bool) throws {
        let isTerminal = isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1
        try CredentialRule.confirm(
            settings, in: CommandSettings.confirmedServers,
            on: isCompleting ? .completion : isTerminal ? .terminal : .script, way: "cloudlet config trust"
        ) { StandardError.isConfirmed($0) }
    }

    private func givenKey(_ settings: Settings) throws -> String {
        guard let file = settings["operator-key-file"] else {
            let whose =
                settings.projectServer != nil ? " The project's file must name the key, too." : ""
            throw ValidationError(
                "--server needs --operator-key-file, the operator.key of its data folder." + whose)
        }
        do {
            let text = try String(contentsOfFile: file, encoding: .utf8)
            return text.trimmingCharacters(in: .whitespacesAndNewlines)
        } catch {
            throw RecordError(
                .notFound, "the operator key file \(file) cannot be read",
                nextStep: "check its path and permissions"
            )
        }
    }
}
