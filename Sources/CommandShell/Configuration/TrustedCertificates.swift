public import Foundation

extension ConfigurationKey {
    /// A PEM file with the certificates to trust in place of the system's: the flag `--trust-certificate`.
    public static var trustCertificate: ConfigurationKey {
        ConfigurationKey(
            "trust-certificate", .path, variables: [Variable("CLOUDLET_TRUST_CERTIFICATE")],
            usual: "the system's")
    }
}

extension Settings {
    /// The PEM file with the certificates to trust in place of the system's; nil for the system's.
    ///
    /// - Throws: `ConfigurationError` if the project's file names it: with a certificate of its own, a
    ///   stranger could read what is sent.
    public func trustedCertificates() throws(ConfigurationError) -> URL? {
        let name = ConfigurationKey.trustCertificate.name
        try checkNotOfProject([name])
        return self[name].map { URL(fileURLWithPath: $0) }
    }
}
