import ArgumentParser
import CloudletServer
import CommandShell

/// `--assets` and the keys for the bucket, which come from variables and the user's own settings file only.
struct AssetOptions: ParsableArguments {
    /// The names of the settings, which a project's file must not set.
    static let names = ["assets", "assets-region", "assets-key-id", "assets-secret", "assets-session-token"]

    @Option(
        help: ArgumentHelp(
            "The bucket for the files of assets, such as s3://BUCKET/PREFIX?endpoint=https://s3.example.org.",
            discussion: """
                Any object store with the S3 protocol; without an endpoint, Amazon S3 in the region that \
                ?region=REGION names. style=host puts the name of the bucket into the host name. With \
                downloads=direct, clients read files from the object store, at addresses that anyone can \
                use until they expire. The keys are not in the address: set AWS_ACCESS_KEY_ID and \
                AWS_SECRET_ACCESS_KEY, or assets-key-id and assets-secret in your own settings file. The \
                folder and the bucket belong together; `cloudlet backup` refuses such a folder. Default: \
                the data folder
                """))
    var assets: String?

    var flags: [String: String?] { ["assets": assets] }

    static let keys: [ConfigurationKey] = [
        ConfigurationKey("assets", .text, variables: [variable("CLOUDLET_ASSETS")], default: "none"),
        ConfigurationKey(
            "assets-region", .text, variables: [variable("AWS_REGION"), variable("AWS_DEFAULT_REGION")],
            default: "that of --assets"),
        ConfigurationKey(
            "assets-key-id", .text, variables: [variable("AWS_ACCESS_KEY_ID")], default: "none",
            isSecret: true),
        ConfigurationKey(
            "assets-secret", .text, variables: [variable("AWS_SECRET_ACCESS_KEY")], default: "none",
            isSecret: true),
        ConfigurationKey(
            "assets-session-token", .text, variables: [variable("AWS_SESSION_TOKEN")], default: "none",
            isSecret: true),
    ]

    private static func variable(_ name: String) -> ConfigurationKey.Variable {
        ConfigurationKey.Variable(name)
    }

    /// The bucket in the settings; nil if there is none, so that the files are in the data folder.
    static func bucket(_ settings: Settings) throws -> AssetBucket? {
        guard let address = settings["assets"] else { return nil }
        try settings.checkNotOfProject(names)
        guard let keyID = settings["assets-key-id"], let secret = settings["assets-secret"] else {
            throw ValidationError(
                "--assets needs keys: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment, or "
                    + "assets-key-id and assets-secret in your own settings file.")
        }
        return AssetBucket(
            address: address, region: settings["assets-region"], keyID: keyID, secret: secret,
            sessionToken: settings["assets-session-token"])
    }
}
