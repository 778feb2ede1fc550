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
        var arguments = ["--server", address.absoluteString, "--on", session.device, "--json"]
        if let person = session.account?.person { arguments += ["--as", person] }
        let folder = tools.workFolder.appendingPathComponent("devices/\(session.device)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let app = AppProcess(
            program: program, arguments: arguments + ["-c", command.line], folder: folder,
            killedAt: command.killedAt)
        return Answer.app(try await app.run())
    }
}

extension Answer {
    /// What a process left: how it ended, and the fields of its answer.
    fileprivate static func app(_ end: AppProcess.End) -> Answer {
        let fields = [Field("ended", .text(end.how))] + end.fields
        return Answer(form: .record, entries: [Entry(fields)], notes: ["the process ended: \(end.how)"])
    }
}
