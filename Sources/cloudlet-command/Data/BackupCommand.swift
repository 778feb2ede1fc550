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
            Each database is copied in a consistent state, with every file that its records name. Each \
            copied file is read. The new folder gets its name when it is complete. A backup is as secret \
            as the data: it contains accounts and the hashes of passwords and tokens. Damaged data, and data \
            that lacks files, is copied and reported, and the exit code is 1: such a backup is restored with \
            `--with-damage` only. A database that cannot be read is kept in a file that ends with \
            `.sqlite.damaged`, which `restore` leaves out. Restore a backup with `cloudlet restore`: a \
            server refuses a backup as its data folder, because its clients would miss changes.
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
            of: URL(fileURLWithPath: try CommandSettings.dataFolder(data)), at: URL(fileURLWithPath: folder))
        let isSound = report.damaged.isEmpty && report.missing.isEmpty
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

            A backup that is damaged, or that lacks files, is refused, unless --with-damage is given: then \
            everything else is restored, and the missing and damaged parts are reported. A person whose \
            database cannot be read gets an empty one; the backup keeps the damaged one. A missing file is \
            replaced when a client saves its record with it again.

            Changes that were saved after the backup are lost, on devices as well: their change tokens \
            expire, so they fetch everything again; edits that they have not sent yet are kept and sent. \
            Change tags continue from a number that was never used.

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

    @Flag(help: "Also restore a backup that is damaged or lacks files, and report the damage.")
    var withDamage = false

    @Flag(help: "Print JSON; errors too, on standard error.")
    var json = false

    func run() async throws {
        let report = try DataBackup.restore(
            URL(fileURLWithPath: folder), to: URL(fileURLWithPath: data), withDamage: withDamage)
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
