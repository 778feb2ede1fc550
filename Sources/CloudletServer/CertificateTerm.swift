package import Foundation
import Logging

#if Networking
import NIOSSL
#endif

/// The time during which a certificate is valid.
package struct CertificateTerm: Hashable, Sendable {
    package let start: Date
    package let end: Date

    package init(start: Date, end: Date) {
        self.start = start
        self.end = end
    }

    /// The term of a certificate in DER; nil for other bytes, and in a build without TLS.
    package init?(der bytes: [UInt8]) {
        #if Networking
        guard let certificate = try? NIOSSLCertificate(bytes: bytes, format: .der) else { return nil }
        self.init(
            start: Date(timeIntervalSince1970: TimeInterval(certificate.notValidBefore)),
            end: Date(timeIntervalSince1970: TimeInterval(certificate.notValidAfter)))
        #else
        return nil
        #endif
    }

    /// Whether clients accept the certificate at this time.
    package func isValid(at now: Date) -> Bool { start <= now && now < end }

    /// The warning about a certificate that is not valid at this time, or that expires soon: within 14 days,
    /// or within the last third of a shorter term. nil for other certificates.
    package func warning(at now: Date) -> String? {
        if now < start { return "the certificate is not valid before \(Self.day(of: start))" }
        if now >= end {
            return "the certificate expired on \(Self.day(of: end)), so clients refuse the server"
        }
        let notice = min(14 * 86_400, end.timeIntervalSince(start) / 3)
        if end.timeIntervalSince(now) > notice { return nil }
        return "the certificate expires on \(Self.day(of: end))"
    }

    /// The next step after a warning.
    package static let nextStep = "replace the certificate's file, then restart the server"

    private static func day(of date: Date) -> String {
        date.formatted(Date.ISO8601FormatStyle().year().month().day())
    }
}

extension Encryption {
    /// Logs a warning if the certificate is not valid at this time, or expires soon.
    func checkTerm(at now: Date, _ logger: Logger) {
        guard let warning = CertificateTerm(der: certificate)?.warning(at: now) else { return }
        logger.warning("\(warning); \(CertificateTerm.nextStep)")
    }
}
