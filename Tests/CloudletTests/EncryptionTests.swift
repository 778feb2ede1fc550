import Cloudlet
import CloudletServer
import Foundation
import Testing

@testable import TestKit

@Suite("TLS in the client")
struct EncryptionTests {
    @Test("A client that trusts the certificate sends records and files over TLS; others cannot connect")
    func travels() async throws {
        let certificates = try await Certificates()
        let folder = certificates.folder
        defer { folder.remove() }
        var configuration = ServerConfiguration.ephemeral
        configuration.port = 0
        let files = CertificateFiles(
            certificate: folder.appendingPathComponent("certificate"),
            key: folder.appendingPathComponent("key"))
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

    @Test("A file without certificates is refused, and the error names its path")
    func noCertificate() throws {
        let url = try #require(URL(string: "https://127.0.0.1:1"))
        let error = #expect(throws: CKError.self) {
            try HTTPTransport(url: url, trustingCertificatesIn: URL(fileURLWithPath: "/dev/null"))
        }
        #expect(error?.code == .badContainer)
        #expect(error?.localizedDescription.contains("/dev/null") == true)
    }
}
