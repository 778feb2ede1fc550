import ArgumentParser
import CloudletServer
import CommandShell
import Foundation
import RecordsWire

struct Backup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Copy a server's data; the server may be running.",
        usage: "cloudlet backup ./backup-2026-07-04 --data ./data",
        discussion: """
            Copies a consistent snapshot of each database, with every file that its records name. \
            The new folder gets its name when the copy is complete. Keep a backup as secret as the \
            data: it contains accounts and the hashes of passwords and tokens. Damaged data is \
            copied and reported, and the exit code is then 1. Use only `cloudlet restore` to restore \
            a backup: a server cannot detect a folder that was copied back by other means, and its \
            clients then miss changes.
            """
    )

    @Argument(help: "The new folder.", completion: .directory)
    var folder: String

    @Option(
        help: "The server's data folder; the server may be running. Default: ./cloudlet-data",
        completion: .directory)
    var data: String?

    @Flag(help: "Print JSON; errors too, on standard error.")
    var json = false

    func run() async throws {
        let report = try DataBackup.make(
            of: URL(fileURLWithPath: try Surroundings.dataFolder(data)), at: URL(fileURLWithPath: folder))
        let isSound = report.damaged.isEmpty
        try report.say(isJSON: json, "backed up to \(folder)" + (isSound ? "" : ", with the damage"))
        if !isSound { throw ExitCode.failure }
    }
}

struct Restore: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Copy a backup into a new data folder.",
        usage: "cloudlet restore ./backup-2026-07-04 --data ./data-again",
        discussion: """
            Checks the backup, including the content of each file, and does not change it. Never \
            overwrites an existing folder. The server creates a new operator key when it starts.

            Changes that were saved after the backup are lost, also on devices: the server rejects \
            their change tokens as expired, so they fetch everything again. Edits that a device has \
            not sent yet are kept and sent. New change tags never repeat an earlier one.

            Everybody is signed out, and devices must register for pushes again, because sessions \
            may have been ended after the backup. Passwords, roles, API tokens and keys are those of \
            the backup: repeat the changes and revocations that were made since then.
            """
    )

    @Argument(help: "The folder of the backup.", completion: .directory)
    var folder: String

    @Option(
        help: "The new data folder.",
        completion: .directory)
    var data: String

    @Flag(help: "Print JSON; errors too, on standard error.")
    var json = false

    func run() async throws {
        let report = try DataBackup.restore(
            URL(fileURLWithPath: folder), to: URL(fileURLWithPath: data))
        try report.say(
            isJSON: json,
            "restored; everybody is signed out, and credentials revoked after the backup are valid again; "
                + "start it: cloudlet serve --data \(data)")
    }
}

extension DataBackup {
    fileprivate func say(isJSON: Bool, _ note: String) throws {
        if isJSON {
            var json = JSONWriter()
            json.beginObject()
            json.member("databases", Int64(databases))
            json.member("files", Int64(files))
            json.member("bytes", bytes)
            json.member("missing", missing)
            json.member("damaged", damaged)
            json.endObject()
            try StandardOutput.writeJSON(json.bytes)
            return
        }
        let warnings =
            missing.map { "a file that records name is missing: \($0); look: cloudlet doctor" }
            + damaged.map { "damaged: \($0); look: cloudlet doctor" }
        try Listing.fields([
            ("databases", "\(databases)"), ("files", "\(files)"), ("bytes", "\(bytes)"),
        ]).noting(warnings + [note]).say()
    }
}
