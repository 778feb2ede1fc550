import ArgumentParser
import CommandShell
import Foundation
import Records
import RecordsWire

/// `cloudlet logs`: prints the last requests that a server has answered.
struct LogsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "logs", abstract: "Print the last requests that the server has answered.",
        usage: """
            cloudlet logs
            cloudlet logs iCloud.org.example.app --error conflict --explain
            cloudlet logs --follow --operation records/modify
            """,
        discussion: """
            A running server keeps its last requests in memory, at most 2000; this command prints the \
            newest 100 that match, oldest first. With --follow it then prints each new one. For \
            requests to private and shared databases, it has no record names, no sizes and no texts.
            """
    )

    @Argument(help: "The only container whose requests are listed. Default: all", completion: .containers)
    var container: String?

    @Option(help: "Only this operation, such as records/query.")
    var operation: String?

    @Option(help: "Only requests with this error, such as conflict.")
    var error: String?

    @Option(help: "Only requests by this person, given by user record name.")
    var person: String?

    @Option(help: "Only requests by this device.")
    var device: String?

    @Option(help: "Only requests that name this public record.")
    var record: String?

    @Flag(help: "Also print the meaning of each error and the next step.")
    var explain = false

    @Flag(help: "Then print each new request, until interrupted.")
    var follow = false

    @OptionGroup var options: OperatorOptions

    private func filter() throws -> RequestFilter {
        var filter = RequestFilter()
        filter.container = container
        filter.operation = operation
        filter.person = person
        filter.device = device
        filter.recordName = record
        if let error {
            guard let code = RecordError.Code(rawValue: error) else {
                let names = RecordError.Code.allCases.map(\.rawValue).joined(separator: ", ")
                throw ValidationError("There is no error \(error). The errors are: \(names).")
            }
            filter.error = code
        }
        return filter
    }

    func run() async throws {
        var filter = try filter()
        if !follow, options.json {
            return try await options.call(ReadRequests(filter)) { _ in Listing() }
        }
        filter.after = try say(try await options.answer(to: ReadRequests(filter)).elements, whenEmpty: true)
        while follow {
            try await Self.pause()
            let more = try await options.answer(to: ReadRequests(filter)).elements
            filter.after = try say(more, whenEmpty: false) ?? filter.after
        }
    }

    /// Waits until it is time to ask again.
    private static func pause() async throws { try await Task.sleep(for: .seconds(1)) }

    /// Prints requests, oldest first, and returns the number of the newest; nil if there are none.
    private func say(_ requests: [LoggedRequest], whenEmpty: Bool) throws -> Int64? {
        let requests = requests.reversed()
        if options.json {
            for request in requests { try StandardOutput.writeJSON(request.encoded()) }
        } else if requests.isEmpty {
            if whenEmpty, !follow { Messages.say("no matching requests yet") }
        } else {
            try Listing(lines: requests.flatMap(lines)).say()
        }
        return requests.last?.number
    }

    private func lines(_ request: LoggedRequest) -> [String] {
        let place = [request.container, request.environment?.rawValue, request.database?.rawValue]
        let parts: [String?] = [
            request.at.moment, "\(request.status)", request.operation,
            place.compactMap(\.self).joined(separator: " "), request.person, request.device,
            "\(request.microseconds / 1000) ms", request.recordNames.joined(separator: ", "),
        ]
        let line = parts.compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: "  ")
        return [line]
            + request.errors.map { code in
                let reason = request.reason.map { ": \($0)" } ?? ""
                let guide = explain ? "; \(code.guide.cause) \(code.guide.remedy)" : ""
                return "    \(code.rawValue)\(reason)\(guide)"
            }
    }
}
