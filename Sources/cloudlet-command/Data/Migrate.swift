import ArgumentParser
import CloudletServer
import CommandShell
import Foundation
import RecordsWire

struct Migrate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Move a server's data from its folder to PostgreSQL, or back.",
        usage: """
            cloudlet migrate --from ./data --to postgresql://cloudlet@db/cloudlet --assets s3://BUCKET
            cloudlet migrate --from postgresql://cloudlet@db/cloudlet --to ./data --assets s3://BUCKET
            """,
        discussion: """
            Copies everything: accounts, sessions, tokens, keys, containers, schemas, devices, operators \
            and the audit log; the records of all databases with their shares, subscriptions, \
            notifications and deletions; the files of assets. Only the counts of requests and the \
            operator's key stay. What devices hold remains valid: they stay signed in, their change \
            tokens and change tags go on, and they fetch nothing again.

            All servers that use one of the places must be stopped, because a change that is saved \
            meanwhile would be lost; the data of a running server cannot be moved. The data of the source \
            stay. A folder gets the mark data-moved at the end, and no server starts on it while it has \
            this file. A database is not marked: do not start nodes on it again.

            Each database is copied in one transaction, then both sides are compared row by row and \
            by their digests; each file is compared with its checksum. If the command is \
            stopped, or fails, run it again: what is there already is compared and kept. Until it \
            succeeds, no server starts on the target. The target must be empty.

            --assets names the object store with the files of the PostgreSQL side. If the folder's \
            files are in that bucket already, they stay there. Set an address with a password in a \
            variable, such as PGPASSWORD, or in ~/.pgpass: other users of the machine can see the \
            arguments of a process.

            Needs libpq, PostgreSQL's client library (Debian: libpq5).
            """
    )

    @Option(
        help: "The data folder, or the address of the PostgreSQL database, that has the data.",
        completion: .directory)
    var from: String

    @Option(
        help: "The empty or new place: the address of a PostgreSQL database, or a data folder.",
        completion: .directory)
    var to: String

    @OptionGroup var assets: AssetOptions

    @Flag(help: "Print JSON; errors too, on standard error.")
    var json = false

    func validate() throws {
        for (name, place) in [("from", from), ("to", to)] where place.isEmpty {
            throw ValidationError("--\(name) takes a folder or an address, but its value is empty.")
        }
        if Self.isAddress(from) == Self.isAddress(to) {
            throw ValidationError(
                "Give a data folder and the address of a PostgreSQL database, such as "
                    + "postgresql://USER@HOST/NAME; copy a folder with cloudlet backup and cloudlet restore.")
        }
    }

    func run() async throws {
        let bucket = try AssetOptions.bucket(CommandSettings.settings(assets.flags, isGrouped: false))
        let isJSON = json
        let report = try await DataMigration.run(
            from: Self.site(from, bucket), to: Self.site(to, bucket)
        ) { step in
            if !isJSON { Messages.say(step.words) }
        }
        try report.say(isJSON: json, nextStep(isWithBucket: bucket != nil))
        if !report.missing.isEmpty { throw ExitCode.failure }
    }

    private func nextStep(isWithBucket: Bool) -> String {
        Self.isAddress(to)
            ? "moved; start each node with a new data folder: cloudlet serve --data NEW --database ADDRESS"
                + (isWithBucket ? " --assets ADDRESS" : "")
            : "moved; start the server: cloudlet serve --data \(to)"
    }

    private static func isAddress(_ place: String) -> Bool {
        place.hasPrefix("postgresql://") || place.hasPrefix("postgres://")
    }

    private static func site(_ place: String, _ bucket: AssetBucket?) -> DataSite {
        isAddress(place)
            ? .database(place, assets: bucket) : .folder(URL(fileURLWithPath: place), assets: bucket)
    }
}

extension DataMigration.Step {
    /// The step in one line.
    fileprivate var words: String {
        switch self {
        case .wrote(let rows, let database): return "\(database): \(rows) rows so far"
        case .copied(let copied):
            let files = copied.files == 0 ? "" : ", \(copied.files) files"
            return "\(copied.database): \(copied.rows) rows\(files), the same on both sides"
                + (copied.wasThere ? "; copied before" : "")
        }
    }
}

extension DataMigration {
    fileprivate func say(isJSON: Bool, _ note: String) throws {
        if isJSON {
            var json = JSONWriter()
            json.beginObject()
            json.member("databases", Int64(databases))
            json.member("rows", Int64(rows))
            json.member("files", Int64(files))
            json.member("bytes", bytes)
            json.member("digest", digest)
            json.member("missing", missing)
            json.endObject()
            try StandardOutput.writeJSON(json.bytes)
            return
        }
        let warnings = missing.map { "a file that records name is missing or damaged: \($0)" }
        try Listing.fields([
            ("databases", "\(databases)"), ("rows", "\(rows)"), ("files", "\(files)"), ("bytes", "\(bytes)"),
            ("digest", digest),
        ]).noting(warnings + [note]).say()
    }
}
