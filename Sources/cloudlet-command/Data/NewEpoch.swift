import ArgumentParser
import CloudletServer
import CommandShell
import RecordsWire

struct NewEpoch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Begin a new epoch in a PostgreSQL database that was set back.",
        usage: "cloudlet new-epoch --database postgresql://cloudlet@db/cloudlet",
        discussion: """
            Run it after the database was restored by PostgreSQL's own means, such as point-in-time \
            recovery or pg_restore, or after a standby without the last commits was promoted, and before \
            a node starts. Devices have seen changes that are lost: without a new epoch, they would miss \
            later ones, and a change tag could stand for two versions of a record.

            All change tokens of devices expire, so they fetch everything again; edits that they have not \
            sent yet are kept and sent. Change tags continue from a number that was never used. Everybody is \
            signed out, and devices must register for pushes again, because sessions may have been ended \
            after the point in time. Passwords, roles, API tokens and keys are those of the restored \
            database: repeat the changes and revocations that were made since then.

            All nodes must be stopped. If the command fails or is interrupted, run it again. A data folder \
            needs no such command: `cloudlet restore` begins a new epoch itself.

            Set an address with a password in CLOUDLET_DATABASE, or use ~/.pgpass: other users of the \
            machine can see the arguments of a process. Needs libpq, PostgreSQL's client library \
            (Debian: libpq5).
            """
    )

    @Option(help: "The address of the PostgreSQL database, such as postgresql://cloudlet@localhost/cloudlet.")
    var database: String?

    @OptionGroup var confirmation: Confirmation

    @Flag(help: "Print JSON; errors too, on standard error.")
    var json = false

    func run() async throws {
        let settings = try CommandSettings.settings(["database": database], isGrouped: false)
        guard let address = try DatabaseAddress.of(settings) else {
            throw ValidationError("Name the database: --database postgresql://USER@HOST/NAME.")
        }
        try confirmation.ask("sign everybody out, and have all devices fetch all their data again")
        try await RestoredDatabase.beginEpoch(at: address).say(isJSON: json)
    }
}

extension RestoredDatabase {
    fileprivate func say(isJSON: Bool) throws {
        if isJSON {
            var json = JSONWriter()
            json.beginObject()
            json.member("databases", Int64(databases))
            json.member("sessions", Int64(sessions))
            json.endObject()
            try StandardOutput.writeJSON(json.bytes)
            return
        }
        try Listing.fields([("databases", "\(databases)"), ("sessions ended", "\(sessions)")])
            .noting([
                "a new epoch has begun; credentials revoked after the point in time are valid again; "
                    + "start the nodes: cloudlet serve --data FOLDER --database ADDRESS"
            ])
            .say()
    }
}
