import CloudService
import Foundation
import Records

/// What to do about an answer.
enum ApplePushVerdict: Hashable, Sendable {
    case done(GatewayAnswer)
    /// The provider token is too old: make another and send once more.
    case renewToken(String)

    /// - Parameters:
    ///   - body: JSON with a reason, and for a device that is gone, since when.
    ///   - retryAfter: the header of that name.
    init(status: UInt, body: [UInt8], retryAfter: String?) {
        let details = try? JSONDecoder().decode(Details.self, from: Data(body))
        let words = "Apple's push service answered \(status) \(details?.reason ?? "without a reason")"
        switch (status, details?.reason) {
        case (200, _): self = .done(.accepted)
        case (403, "ExpiredProviderToken"): self = .renewToken(words)
        case (410, _):
            self = .done(.gone(words, since: details?.timestamp.map { Timestamp(milliseconds: $0) }))
        case (400, "BadDeviceToken"): self = .done(.gone(words, since: nil))
        case (400, "DeviceTokenNotForTopic"):
            self = .done(.refused(words + "; see that the topic is the app's"))
        case (403, _):
            // Every push would be refused: they wait for a setting that is right.
            self = .done(.later(words + "; see that key, key ID and team belong together", seconds: 600))
        case (429, _), (500..., _):
            self = .done(.later(words, seconds: retryAfter.flatMap { Int($0) }))
        default: self = .done(.refused(words))
        }
    }

    private struct Details: Decodable {
        var reason: String
        var timestamp: Int64?
    }
}
