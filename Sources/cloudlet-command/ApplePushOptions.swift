import ArgumentParser
import CloudletServer
import Foundation

/// `--apns-key FILE` and the options that belong to it.
struct ApplePushOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The private key for Apple's push service, AuthKey_….p8; devices that register their token get "
                + "their pushes there then.",
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

    func validate() throws {
        let given = [apnsKey, apnsKeyId, apnsTeamId, apnsTopic].compactMap { $0 }
        guard given.isEmpty || given.count == 4 else {
            throw ValidationError(
                "--apns-key, --apns-key-id, --apns-team-id and --apns-topic belong together; give all four.")
        }
        if given.isEmpty, apnsUrl != nil || apnsTrust != nil {
            throw ValidationError("--apns-url and --apns-trust belong to --apns-key; give that too.")
        }
        if let apnsUrl, URL(string: apnsUrl)?.scheme != "https" {
            throw ValidationError("--apns-url takes an https address, not \(apnsUrl).")
        }
    }

    var settings: ApplePushSettings? {
        guard let apnsKey, let apnsKeyId, let apnsTeamId, let apnsTopic else { return nil }
        var settings = ApplePushSettings(
            key: URL(fileURLWithPath: apnsKey), keyID: apnsKeyId, teamID: apnsTeamId, topic: apnsTopic)
        settings.address = apnsUrl.flatMap { URL(string: $0) }
        settings.trustedCertificates = apnsTrust.map { URL(fileURLWithPath: $0) }
        return settings
    }
}
