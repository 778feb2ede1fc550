import Cloudlet
import CloudletServer
import Foundation
import Testing

@Suite("TLS at the client")
struct EncryptionTests {
    /// A certificate for this machine and its key, made by `openssl`.
    private static func certificate(in folder: URL) async throws -> CertificateFiles {
        let files = CertificateFiles(
            certificate: folder.appendingPathComponent("certificate"),
            key: folder.appendingPathComponent("key"))
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj",
            "/CN=localhost",
            "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", files.key.path, "-out",
            files.certificate.path,
        ]
        process.standardError = FileHandle.nullDevice
        let (codes, code) = AsyncStream.makeStream(of: Int32.self)
        process.terminationHandler = { process in
            code.yield(process.terminationStatus)
            code.finish()
        }
        try process.run()
        for await code in codes { try #require(code == 0) }
        return files
    }

    @Test("Records and files travel over TLS to who trusts the certificate; others cannot reach the server")
    func travels() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tls-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var configuration = ServerConfiguration.ephemeral
        configuration.port = 0
        let files = try await Self.certificate(in: folder)
        configuration.certificate = files
        let server = try await CloudletServer.start(configuration)
        let url = try #require(server.url)
        let way = try HTTPTransport(url: url, trustingCertificatesIn: files.certificate)
        let connection = try await CloudConnection(
            transport: way, deviceName: "phone", assetFolder: folder.appendingPathComponent("assets")
        ).signingIn(as: "alice")
        let database = CKContainer(identifier: "iCloud.test", connection: connection).privateCloudDatabase
        let file = folder.appendingPathComponent("file")
        try Data("clown".utf8).write(to: file)
        let record = party("a")
        record["photo"] = CKAsset(fileURL: file)
        try await database.save(record)
        let copy = try await database.record(for: record.recordID)
        let fetched = try #require((copy["photo"] as? CKAsset)?.fileURL)
        #expect(try String(contentsOf: fetched, encoding: .utf8) == "clown")
        let stranger = CloudConnection(
            transport: HTTPTransport(url: url), webAuthToken: connection.webAuthToken)
        let other = CKContainer(identifier: "iCloud.test", connection: stranger).privateCloudDatabase
        #expect(await code { _ = try await other.record(for: record.recordID) } == .networkUnavailable)
        await server.stop()
    }

    @Test("A file without certificates to trust is refused with its place")
    func noCertificate() throws {
        let url = try #require(URL(string: "https://127.0.0.1:1"))
        let error = #expect(throws: CKError.self) {
            try HTTPTransport(url: url, trustingCertificatesIn: URL(fileURLWithPath: "/dev/null"))
        }
        #expect(error?.code == .badContainer)
        #expect(error?.localizedDescription.contains("/dev/null") == true)
    }
}
