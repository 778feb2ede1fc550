import ArgumentParser
import Cloudlet
import CloudletServer
import CommandShell
import Foundation

/// `--alerts RULES`, `--alert-webhook URL` and `--alert-command FILE`.
struct AlertOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "When to alert the operator, such as errors>5%,quota>90%,people>0,silence>30m.",
            discussion: """
                errors: the share of the apps' requests of five minutes that the server failed; \
                quota: the share of its quota that the fullest public database uses; \
                people: how many people have used 90 % of their quota for private data; \
                silence: the time since the last request of an app (s, m, h or d). Each rule \
                sends one alert when its limit is passed, and one when the value is normal again.
                """, valueName: "rules"))
    var alerts: String?

    @Option(
        help: ArgumentHelp(
            "The address to which alerts are posted as JSON. Redirects are not followed.",
            valueName: "url"))
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
    /// invalid address, for rules without a sender, and for a sender without rules.
    static func sender(_ settings: Settings) throws -> (@Sendable (_ json: String) async throws -> Void)? {
        let command = try settings["alert-command"].map(program)
        let webhook = try settings["alert-webhook"].map(address)
        let hasRules = settings["alerts"]?.contains(where: { !$0.isWhitespace })
        if hasRules == false {
            throw ValidationError("--alerts takes rules such as errors>5%, but its value is empty.")
        }
        let hasReceiver = command != nil || webhook != nil
        if hasRules == true, !hasReceiver {
            throw ValidationError(
                "--alerts needs a receiver of the alerts; give --alert-webhook or --alert-command.")
        }
        if hasRules == nil, hasReceiver {
            throw ValidationError(
                "--alert-webhook and --alert-command receive nothing without rules; give --alerts, such as "
                    + "--alerts 'errors>5%'.")
        }
        switch (command, webhook) {
        case (nil, nil): return nil
        case (let command?, nil): return { json in try await command.send(json + "\n", within: timeout) }
        case (nil, let webhook?): return { json in try await post(json, to: webhook, within: timeout) }
        // If one of the two failed, both would get the alert again.
        default:
            throw ValidationError(
                "--alert-webhook and --alert-command send the same alerts; give one of them.")
        }
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
        if let url = URL(string: text), ["http", "https"].contains(url.scheme), url.host != nil,
            HTTPTransport.hasPossiblePort(text)
        {
            return url
        }
        throw ValidationError(
            "--alert-webhook takes an http or https address, with a port up to 65535, not \(text); give one "
                + "such as https://hooks.example/alerts.")
    }

    /// Posts an alert. Throws unless the address answers in time with a status from 200 to 299.
    static func post(_ json: String, to url: URL, within timeout: Duration) async throws {
        var request = CloudRequest(.post, url.absoluteString)
        request.headers.add("Content-Type", "application/json")
        request.body = .bytes(Array(json.utf8))
        request.timeout = timeout
        request.maximumBytes = 65_536
        let answer = try await HTTPTransport(url: url).send(request)
        if (200..<300).contains(answer.status) { return }
        throw Failure(host: url.host ?? "", status: answer.status)
    }

    /// The error when an address does not accept an alert. It is written to the log, so it names only the
    /// host: the path of such an address is often a secret.
    private struct Failure: Error, CustomStringConvertible {
        let host: String
        let status: Int

        var description: String { "\(host) answered with the status \(status)" }
    }
}
