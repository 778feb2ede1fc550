import CloudService
import Foundation
import Records

/// The reaction to an answer of the push service.
enum ApplePushVerdict: Hashable, Sendable {
    case done(GatewayAnswer)
    /// The provider token has expired: create a new one and send again.
    case renewToken(String)

    /// - Parameters:
    ///   - body: JSON with a reason and, for an unregistered device, the time at which Apple found its token
    ///     to be invalid.
    ///   - retryAfter: The value of the header `retry-after`.
    init(status: UInt, body: [UInt8], retryAfter: String?) {
        let details = try? JSONDecoder().decode(Details.self, from: Data(body))
        let summary = "Apple's push service answered \(status) \(details?.shownReason ?? "without a reason")"
        switch (status, details?.reason) {
        case (200, _): self = .done(.accepted)
        case (403, "ExpiredProviderToken"): self = .renewToken(summary)
        case (410, _):
            self = .done(.gone(summary, since: details?.timestamp.map { Timestamp(milliseconds: $0) }))
        case (400, "BadDeviceToken"): self = .done(.gone(summary, since: nil))
        case (400, "DeviceTokenNotForTopic"):
            self = .done(.refused(summary + "; check that the topic is the app's bundle identifier"))
        case (403, _):
            // Wrong credentials reject every push, so pushes wait until the operator corrects them.
            self = .done(.later(summary + "; check that key, key ID and team belong together", seconds: 600))
        case (429, _), (500..., _):
            self = .done(.later(summary, seconds: retryAfter.flatMap { Int($0) }))
        default: self = .done(.refused(summary))
        }
    }

    private struct Details: Decodable {
        var reason: String
        var timestamp: Int64?

        /// The reason for the log. Apple's are words without spaces.
        var shownReason: String {
            let isWord = reason.utf8.allSatisfy { (0x21...0x7e).contains($0) }
            return isWord && reason.utf8.count <= 100 ? reason : "with an unreadable reason"
        }
    }
}
