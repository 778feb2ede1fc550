import Foundation

/// A certificate for this machine, its key, and a key that does not belong to it. `openssl` creates them in
/// their own folder.
struct Certificates {
    let folder: URL

    init() async throws {
        folder = try URL.newFolder()
        let curve = ["-pkeyopt", "ec_paramgen_curve:prime256v1"]
        try await OpenSSL.run(
            ["req", "-x509", "-newkey", "ec"] + curve + [
                "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext",
                "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", path("key"), "-out",
                path("certificate"),
            ])
        try await OpenSSL.run(["genpkey", "-algorithm", "EC"] + curve + ["-out", path("other-key")])
    }

    func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
}

/// Runs `body` with certificates, and removes them afterwards.
func withCertificates(
    isolation: isolated (any Actor)? = #isolation, _ body: (Certificates) async throws -> Void
) async throws {
    let certificates = try await Certificates()
    defer { certificates.folder.remove() }
    try await body(certificates)
}
