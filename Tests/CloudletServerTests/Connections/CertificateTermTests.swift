import CloudletServer
import Foundation
import Logging
import Synchronization
import Testing

@testable import ServerKit
@testable import TestKit

@Suite("The term of a certificate", .timeLimit(.minutes(30)))
struct CertificateTermTests {
    /// The beginning of 2026.
    private static let start = Date(timeIntervalSince1970: 1_767_225_600)

    private static let cases: [(term: Double, now: Double, warning: String?)] = [
        (90, 75, nil),
        (90, 76.5, "the certificate expires on 2026-04-01"),
        (90, 90, "the certificate expired on 2026-04-01, so clients refuse the server"),
        (6, 3.9, nil),
        (6, 4.1, "the certificate expires on 2026-01-07"),
        (6, -1, "the certificate is not valid before 2026-01-01"),
    ]

    @Test("A warning names the day; it begins 14 days before the end, or in a short term's last third")
    func warnings() {
        for (term, now, warning) in Self.cases {
            let certificate = CertificateTerm(
                start: Self.start, end: Self.start.addingTimeInterval(term * 86_400))
            #expect(certificate.warning(at: Self.start.addingTimeInterval(now * 86_400)) == warning)
        }
        #expect(CertificateTerm(der: [1, 2, 3]) == nil)
    }

    @Test("A server logs a warning when it starts with a certificate that has expired")
    func log() async throws {
        try await withCertificates { certificates in
            let notebook = LogRecorder()
            var configuration = ServerConfiguration.ephemeral
            configuration.port = 0
            configuration.certificate = certificates.files()
            configuration.clock = { Date(timeIntervalSince1970: 4_000_000_000) }
            configuration.logger = Logger(label: "test") { _ in LogRecorder.Writer(notebook: notebook) }
            let server = try await CloudletServer.start(configuration)
            await server.stop()
            let lines = notebook.lines.withLock(\.self)
            #expect(lines.contains { $0.hasPrefix("the certificate expired on ") }, "\(lines)")
        }
    }
}
