public import Foundation

extension ConfigurationKey {
    private static let trust = "trust-certificate"

    /// A PEM file with the certificates to trust in place of the system's: the flag `--trust-certificate`.
    ///
    /// - Parameter variable: The environment variable that sets it.
    public static func trustCertificate(variable: String) -> ConfigurationKey {
        ConfigurationKey(trust, .path, variables: [Variable(variable)], default: "the system's")
    }

    /// The PEM file that a program's settings name; nil for the system's certificates.
    ///
    /// - Throws: `ConfigurationError` if the file cannot be read, or if the project's file names it: a
    ///   stranger who wrote the project's file could then decrypt the traffic.
    public static func trustedCertificates(in settings: Settings) throws(ConfigurationError) -> URL? {
        try settings.checkNotOfProject([trust])
        guard let path = settings[trust] else { return nil }
        guard FileManager.default.isReadableFile(atPath: path) else {
            throw ConfigurationError(
                place: path, reason: "the file of trusted certificates is missing or cannot be read",
                nextStep: "name a PEM file that you may read: --\(trust) FILE")
        }
        return URL(fileURLWithPath: path)
    }
}
