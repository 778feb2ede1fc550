import ArgumentParser
import CloudletServer
import CommandShell
import Foundation

/// `--apns-key FILE` and the options that belong to it.
struct ApplePushOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The private key for Apple's push service, AuthKey_….p8; devices that register their token then "
                + "get their pushes from that service.",
            valueName: "file"))
    var apnsKey: String?

    @Option(help: "The ID of that key.")
    var apnsKeyId: String?

    @Option(help: "The ID of the key's team.")
    var apnsTeamId: String?

    @Option(help: "The bundle identifier of the app.")
    var apnsTopic: String?

    @Option(help: ArgumentHelp("The address of the push service; default: Apple's.", valueName: "url"))
    var apnsUrl: String?

    @Option(
        help: ArgumentHelp(
            "A file with trusted certificates in PEM, in place of the system's.",
            valueName: "file"))
    var apnsTrust: String?

    /// The names of the settings, which are those of the flags.
    static let names = ["apns-key", "apns-key-id", "apns-team-id", "apns-topic", "apns-url", "apns-trust"]

    /// The values of the flags.
    var flags: [String: String?] {
        [
            "apns-key": apnsKey, "apns-key-id": apnsKeyId, "apns-team-id": apnsTeamId,
            "apns-topic": apnsTopic, "apns-url": apnsUrl, "apns-trust": apnsTrust,
        ]
    }

    /// The settings for Apple's push service; nil if none is set.
    ///
    /// - Throws: `ValidationError` if some of the settings that belong together are missing.
    static func applePush(_ settings: Settings) throws -> ApplePushSettings? {
        let address = settings["apns-url"]
        guard let key = settings["apns-key"], let keyID = settings["apns-key-id"],
            let teamID = settings["apns-team-id"], let topic = settings["apns-topic"]
        else {
            guard names.prefix(4).allSatisfy({ settings[$0] == nil }) else {
                throw ValidationError(
                    "--apns-key, --apns-key-id, --apns-team-id and --apns-topic belong together; "
                        + "give all four."
                )
            }
            if address != nil || settings["apns-trust"] != nil {
                throw ValidationError("--apns-url and --apns-trust belong to --apns-key; give that too.")
            }
            return nil
        }
        var push = ApplePushSettings(
            key: URL(fileURLWithPath: key), keyID: keyID, teamID: teamID, topic: topic)
        if let address {
            guard let url = URL(string: address), url.scheme == "https" else {
                throw ValidationError("--apns-url takes an https address, not \(address).")
            }
            push.address = url
        }
        push.trustedCertificates = settings["apns-trust"].map { URL(fileURLWithPath: $0) }
        return push
    }
}
