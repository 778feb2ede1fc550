import ArgumentParser
import Cloudlet
import CloudletServer
import CommandShell
import Foundation

/// `--alerts RULES`, `--alert-webhook URL` and `--alert-command FILE`.
struct AlertOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "When to alert the operator, such as errors>5%,quota>90%,silence>30m.",
            discussion: """
                errors: the share of failed requests in the last five minutes; quota: the share of its \
                quota that a public database uses; silence: the time since the last request (s, m, h \
                or d). Each rule sends one alert when its limit is passed, and one when the value is \
                normal again.
                """, valueName: "rules"))
    var alerts: String?

    @Option(
        help: ArgumentHelp(
            "The address to which alerts are posted as JSON. Only this address is called.", valueName: "url"))
    var alertWebhook: String?

    @Option(
        help: ArgumentHelp(
            "A program that is run for each alert, with the JSON on its standard input.", valueName: "file"),
        completion: .file())
    var alertCommand: String?

    /// The settings that a project's file must not set.
    static let names = ["alerts", "alert-webhook", "alert-command"]

    /// The values of the flags.
    var flags: [String: String?] {
        ["alerts": alerts, "alert-webhook": alertWebhook, "alert-command": alertCommand]
    }

    /// The time limit of the program or the address for one alert.
    private static let timeout = Duration.seconds(15)

    /// The sender of alerts; nil if none is configured. Throws for a file that is not executable, for an
    /// invalid address, and for rules without a sender.
    static func sender(_ settings: Settings) throws -> (@Sendable (_ json: String) async throws -> Void)? {
        let command = try settings["alert-command"].map(program)
        let webhook = try settings["alert-webhook"].map(address)
        if settings["alerts"] != nil, command == nil, webhook == nil {
            throw ValidationError(
                "--alerts needs a receiver of the alerts; give --alert-webhook or --alert-command.")
        }
        if command == nil, webhook == nil { return nil }
        return { json in
            if let command { try await limited { try await command.send(json + "\n") } }
            if let webhook { try await post(json, to: webhook) }
        }
    }

    /// Runs work that is cancelled when it takes too long.
    private static func limited(_ work: @escaping @Sendable () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await work() }
            group.addTask {
                try await Task.sleep(for: timeout)
                throw TimedOut()
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    /// The error when the program ran longer than `timeout`.
    private struct TimedOut: Error, CustomStringConvertible {
        var description: String { "the program for alerts took longer than \(AlertOptions.timeout)" }
    }

    private static func program(_ path: String) throws -> OperatorProgram {
        guard FileManager.default.isExecutableFile(atPath: path) else {
            throw ValidationError(
                "--alert-command names \(path), which this user cannot run as a program; give the path of "
                    + "an executable file.")
        }
        return OperatorProgram(path: path)
    }

    private static func address(_ text: String) throws -> URL {
        if let url = URL(string: text), ["http", "https"].contains(url.scheme), url.host != nil {
            return url
        }
        throw ValidationError(
            "--alert-webhook takes an http or https address, not \(text); give one such as "
                + "https://hooks.example/alerts.")
    }

    private static func post(_ json: String, to url: URL) async throws {
        var request = CloudRequest(.post, url.absoluteString)
        request.headers.add("Content-Type", "application/json")
        request.body = .bytes(Array(json.utf8))
        request.timeout = timeout
        request.mostBytes = 65_536
        let answer = try await HTTPTransport(url: url).send(request)
        if (200..<300).contains(answer.status) { return }
        throw Failure(url: url.absoluteString, status: answer.status)
    }

    /// The error when an address does not accept an alert.
    private struct Failure: Error, CustomStringConvertible {
        let url: String
        let status: Int

        var description: String { "\(url) answered with the status \(status)" }
    }
}
