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
            cloudlet logs iCloud.org.example.app --error accessDenied --explain
            cloudlet logs --follow --operation records/modify
            """,
        discussion: """
            A running server keeps its last requests in memory, at most 2000, and loses them when it \
            stops. This command prints the newest 100 that match, oldest first; --before prints older \
            ones. With --follow it then prints each new one. Of requests to private and shared \
            databases, the server keeps no record names, no sizes and no texts. A person has the user \
            record name and, in parentheses, the name to sign in with.
            """
    )

    @Argument(help: "The only container whose requests are listed. Default: all", completion: .containers)
    var container: String?

    @Option(help: "Only this operation, such as records/query.")
    var operation: String?

    @Option(help: "Only requests with this error: accessDenied, or ACCESS_DENIED as the protocol spells it.")
    var error: String?

    @Option(help: "Only requests by this person, given by user record name.")
    var person: String?

    @Option(help: "Only requests by this device.")
    var device: String?

    @Option(help: "Only requests that name this public record.")
    var record: String?

    @Option(help: "Only requests before the one with this number, which the command prints.")
    var before: Int64?

    @Flag(help: "Also print the meaning of each error and the next step.")
    var explain = false

    @Flag(help: "Then print each new request, until interrupted.")
    var follow = false

    @OptionGroup var options: OperatorOptions

    func validate() throws {
        if follow, before != nil {
            throw ValidationError("--follow and --before exclude each other; give one of them.")
        }
    }

    private func filter() throws -> RequestFilter {
        var filter = RequestFilter()
        filter.container = container
        filter.operation = operation
        filter.person = person
        filter.device = device
        filter.recordName = record
        filter.before = before
        if let error {
            filter.errors = RecordError.Code.codes(named: error)
            if filter.errors.isEmpty {
                let names = RecordError.Code.allCases.map(\.rawValue).joined(separator: ", ")
                throw ValidationError("There is no error \(error). The errors are: \(names).")
            }
        }
        return filter
    }

    func run() async throws {
        var filter = try filter()
        if !follow, options.json {
            let call = ReadRequests(filter)
            let bytes = try await options.withOperator(losing: Self.loss) { try await $0.bytes(of: call) }
            return try StandardOutput.writeJSON(bytes)
        }
        let first = try await read(filter)
        filter.after = try say(first.requests)
        if !options.json, !follow || !first.requests.isEmpty { notes(on: first).forEach(Messages.say) }
        while follow {
            try await Self.pause()
            var page = try await read(filter)
            if let after = filter.after, page.answered < after {
                Messages.say("the server was started again")
                filter.after = 0
                page = try await read(filter)
            }
            filter.after = try say(page.requests) ?? filter.after
        }
    }

    /// What a server loses when it stops.
    private static let loss = "its last requests"

    private func read(_ filter: RequestFilter) async throws -> RequestPage {
        try await options.withOperator(losing: Self.loss) { try await $0.send(ReadRequests(filter)) }
    }

    /// Waits until it is time to ask again.
    private static func pause() async throws { try await Task.sleep(for: .seconds(1)) }

    /// Prints requests, oldest first, and returns the number of the newest; nil if there are none.
    private func say(_ requests: [LoggedRequest]) throws -> Int64? {
        let requests = requests.reversed()
        if options.json {
            for request in requests { try StandardOutput.writeJSON(request.encoded()) }
        } else {
            try Listing(lines: requests.flatMap(lines)).say()
        }
        return requests.last?.number
    }

    /// Says which requests a page does not have: older ones that match, and those that the server no longer
    /// keeps.
    private func notes(on page: RequestPage) -> [String] {
        var notes: [String] = []
        if page.requests.isEmpty { notes.append("no request matches") }
        if page.requests.count == RequestFilter.pageSize, let oldest = page.requests.last {
            notes.append("perhaps there are older ones: --before \(oldest.number)")
        }
        let forgotten = page.answered - page.kept
        if forgotten > 0 {
            notes.append(
                "the server keeps its last \(page.kept) requests; \(forgotten) older ones are gone")
        } else if page.requests.isEmpty {
            notes.append(
                "the server has answered \(page.answered) requests since it started; "
                    + "earlier ones are lost")
        }
        return notes
    }

    private func lines(_ request: LoggedRequest) -> [String] {
        let place = [request.container, request.environment?.rawValue, request.database?.rawValue]
        let parts: [String?] = [
            request.at.moment, "\(request.status)", request.operation,
            place.compactMap(\.self).joined(separator: " "),
            PersonText.of(request.person, name: request.personName), request.device,
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
