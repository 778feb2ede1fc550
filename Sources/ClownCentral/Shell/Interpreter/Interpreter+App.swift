// Owns doing commands in a process of their own, and killing it.
import Cloudlet
import CommandText
import Foundation

extension Interpreter {
    func answer(_ command: AppCommand) async throws -> Answer {
        guard let program = tools.program else {
            throw Complaint(code: "noProgram", message: "the program of this app cannot be found")
        }
        guard let address = site.address else {
            throw Complaint(
                code: "notListening", message: "the server serves this process only",
                remedy: "clown-central --ephemeral")
        }
        let folder = tools.devices.appendingPathComponent(Site.escaped("files of \(session.device)"))
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let app = AppProcess(
            program: program, arguments: arguments(of: command.line, at: address), folder: folder,
            environment: tools.environment, killedAt: command.killedAt)
        return Answer.app(try await app.run())
    }

    /// The same person, device, place, time and data for a process of its own.
    private func arguments(of line: String, at address: URL) -> [String] {
        var arguments = [
            "--server", address.absoluteString, "--on", session.device, "--json",
            "--devices", tools.devices.path, "--seed", "\(identifiers.nextSeed())",
        ]
        if let person = session.account?.person { arguments += ["--as", person] }
        if let token = site.apiToken { arguments += ["--api-token", token] }
        if tools.isClockFixed { arguments += ["--now", tools.now().formatted(.iso8601)] }
        if session.place.container != Site.containerIdentifier {
            arguments += ["-c", "container use \(Quoting.name(session.place.container) ?? "")"]
        }
        if session.place.environment != .development {
            arguments += ["-c", "environment \(session.place.environment.rawValue)"]
        }
        return arguments + ["-c", line]
    }
}

extension Answer {
    /// What a process left: how it ended, and the fields of its answer.
    fileprivate static func app(_ end: AppProcess.End) -> Answer {
        let fields = [Field("ended", .text(end.how))] + end.fields
        return Answer(form: .record, entries: [Entry(fields)], notes: ["the process ended: \(end.how)"])
    }
}
