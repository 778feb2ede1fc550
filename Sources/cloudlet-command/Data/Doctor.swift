import ArgumentParser
import Cloudlet
import CloudletServer
import CommandShell
import Foundation
import RecordsWire

struct Doctor: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check a server and its data, and suggest remedies.",
        usage: "cloudlet doctor --data ./data",
        discussion: """
            Checks that the databases are intact and have a supported version, that the files which \
            records name exist, that the disk has room, that no other user can read secrets, whether \
            the server answers, whether its certificate is valid, \
            which faults are active, whether production lacks a part of development's schema, and \
            whether the configured port is free. Changes nothing. The exit code is 0 without \
            problems and 1 with problems.
            """
    )

    @Option(
        help: "The server's data folder; the server may be running. Default: ./cloudlet-data",
        completion: .directory)
    var data: String?

    @Flag(help: "Read every file, and compare its content with its checksum.")
    var deep = false

    @Flag(help: "Print JSON; errors too, on standard error.")
    var json = false

    func run() async throws {
        let folder = URL(fileURLWithPath: try CommandSettings.dataFolder(data))
        var check = DataCheck(of: folder, readsFiles: deep)
        await lookAtServer(of: folder, &check)
        try lookAtPort(&check)
        if json { try sayJSON(check) } else { try say(check) }
        if check.findings.contains(where: \.isProblem) { throw ExitCode.failure }
    }

    private func lookAtServer(of folder: URL, _ check: inout DataCheck) async {
        let access = OperatorAccess(dataFolder: folder)
        guard let url = access.url else { return }
        if !check.isInUse {
            check.note(
                "server.json", "the file is left from a server that was killed",
                nextStep: "start the server again, if it should run")
            return
        }
        lookAtCertificate(access, &check)
        if let objection = CredentialRule.objection(toKeyOfFolderAt: url) {
            check.note(
                "server.json", "it names \(url), which is no address of this machine, so it was not asked",
                nextStep: objection.nextStep)
            return
        }
        do {
            var client = OperatorClient(
                transport: try access.transport(to: url), key: nil, place: url.absoluteString)
            client.timeout = .seconds(5)
            _ = try await client.send(ReadServerFacts())
            await reportUndeployedChanges(on: folder, &check)
            await lookForFaults(at: url, client, &check)
        } catch {
            check.note(
                "server.json", "the server at \(url) does not answer: \(Self.reason(error))",
                nextStep: "if it is stopping, wait up to 30 seconds; otherwise read its log: a firewall or a "
                    + "stopped process may be in the way")
        }
    }

    private func say(_ check: DataCheck) throws {
        let rows = check.findings.map { finding in
            [finding.isProblem ? "problem" : "notice", finding.subject, finding.text, finding.nextStep]
        }
        let count = "\(check.databases) databases and \(check.files) files"
        let problems = check.findings.count(where: \.isProblem)
        let running = check.isInUse ? "in use by a server" : "not in use"
        let verdict =
            switch problems {
            case 0: "no problem"
            case 1: "1 problem"
            default: "\(problems) problems"
            }
        try Listing.table(["KIND", "WHERE", "WHAT", "WHAT TO DO"], rows, whenEmpty: "all is well")
            .noting(["\(verdict) in \(count); the folder is \(running)"]).say()
    }

    private func sayJSON(_ check: DataCheck) throws {
        var json = JSONWriter()
        json.beginObject()
        json.member("databases", Int64(check.databases))
        json.member("files", Int64(check.files))
        json.member("inUse", check.isInUse)
        json.key("findings")
        json.beginArray()
        for finding in check.findings {
            json.beginObject()
            json.member("kind", finding.isProblem ? "problem" : "notice")
            json.member("subject", finding.subject)
            json.member("text", finding.text)
            json.member("nextStep", finding.nextStep)
            json.endObject()
        }
        json.endArray()
        json.endObject()
        try StandardOutput.writeJSON(json.bytes)
    }
}
