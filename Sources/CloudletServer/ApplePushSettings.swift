import CloudService
public import Foundation
import Records
import ServerData

#if Networking
import ApplePush
import NIOSSL
#endif

/// The identity of an app at Apple's push service, and the key that proves it.
public struct ApplePushSettings: Hashable, Sendable {
    /// The file with the private key that Apple issued for authentication tokens, `AuthKey_….p8`.
    public var key: URL
    /// The ID of the key, ten characters.
    public var keyID: String
    /// The ID of the team, ten characters.
    public var teamID: String
    /// The bundle identifier of the app whose devices register.
    public var topic: String
    /// The address of the push service; nil for Apple's own. Set it to use a proxy, for example.
    public var address: URL?
    /// A file with the certificates, in PEM, that are trusted instead of the system's.
    public var trustedCertificates: URL?

    /// Creates the settings of an app that uses Apple's own push service.
    public init(key: URL, keyID: String, teamID: String, topic: String) {
        self.key = key
        self.keyID = keyID
        self.teamID = teamID
        self.topic = topic
    }
}

#if Networking
extension ApplePushSettings {
    /// Creates the connection to the push service. Throws `pushKeyUnusable`, which names the file and the
    /// reason.
    func gateway(
        payloadLimit: Int, now: @escaping @Sendable () -> Timestamp
    ) throws(ServerError) -> any PushGateway {
        guard let pem = try? String(contentsOf: key, encoding: .utf8) else {
            throw Self.unusable(
                "the key file \(key.path) cannot be read",
                "check that the file exists and that this user may read it")
        }
        guard (0...65_535).contains(address?.port ?? 0) else {
            throw Self.unusable(
                "the address \(plainAddress ?? "") has a port that cannot exist", "give a port up to 65535")
        }
        var trusted: [NIOSSLCertificate]?
        if let file = trustedCertificates {
            trusted = try? NIOSSLCertificate.fromPEMFile(file.path)
            if trusted?.isEmpty ?? true {
                throw Self.unusable(
                    "the file \(file.path) contains no certificate in PEM",
                    "give a file that contains -----BEGIN CERTIFICATE-----")
            }
        }
        let settings = ApplePushGateway.Settings(
            key: pem, keyID: keyID, teamID: teamID, topic: topic, address: plainAddress, trusted: trusted,
            payloadLimit: payloadLimit
        )
        do {
            return try ApplePushGateway(settings, now: now)
        } catch {
            throw Self.unusable(
                "the file \(key.path) contains no private key in PEM for ES256",
                "give the file AuthKey_….p8 from Apple's developer pages")
        }
    }

    private var plainAddress: String? {
        guard var text = address?.absoluteString else { return nil }
        while text.hasSuffix("/") { text.removeLast() }
        return text
    }

    private static func unusable(_ reason: String, _ nextStep: String) -> ServerError {
        ServerError(.pushKeyUnusable, reason, nextStep: nextStep)
    }
}
#else
extension ApplePushSettings {
    /// Throws `pushKeyUnusable`, because this build cannot send to Apple's push service.
    func gateway(
        payloadLimit: Int, now: @escaping @Sendable () -> Timestamp
    ) throws(ServerError) -> any PushGateway {
        throw ServerError(
            .pushKeyUnusable, "the key \(key.path) cannot be used: this program was built without Apple push",
            nextStep: "build it with the package trait Networking")
    }
}
#endif
