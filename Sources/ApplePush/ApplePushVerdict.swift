// Owns the reading of what Apple's push service answers (law 1).

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
        case (400, "BadDeviceToken"), (400, "DeviceTokenNotForTopic"):
            self = .done(.gone(words, since: nil))
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
