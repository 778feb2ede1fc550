import CloudService
import Crypto
import Foundation
import Records
import RecordsWire

/// An HTTP/2 request to Apple Push Notification service:
/// https://developer.apple.com/documentation/usernotifications/sending-notification-requests-to-apns
struct ApplePushRequest: Hashable, Sendable {
    var path: String
    var headers: [String: String]
    var payload: [UInt8]

    /// The largest payload that the service accepts, in bytes.
    static let payloadLimit = 4096
    private static let collapseLimit = 64

    /// - Parameters:
    ///   - deviceToken: The device token in hexadecimal.
    ///   - topic: The app's bundle identifier.
    ///   - limit: The size in bytes to which the payload is pruned.
    init(_ push: GatewayPush, to deviceToken: String, topic: String, limit: Int) {
        let message = push.message
        path = "/3/device/\(deviceToken)"
        headers = [
            "apns-topic": topic,
            "apns-push-type": message.isVisible ? "alert" : "background",
            // Priority 10 is immediate; 5 lets the service consider the device's power.
            "apns-priority": message.isVisible ? "10" : "5",
            "apns-expiration": String(push.expires.milliseconds / 1000),
        ]
        if let collapse = message.notification.presentation.collapseID {
            headers["apns-collapse-id"] = Self.shortened(collapse)
        }
        payload = message.encoded(limit: min(limit, Self.payloadLimit))
    }

    /// The collapse ID, or its SHA-256 hash if the ID is too long or not printable ASCII.
    private static func shortened(_ collapse: String) -> String {
        let isPlain = collapse.utf8.allSatisfy { (0x20..<0x7f).contains($0) }
        if isPlain, collapse.utf8.count <= collapseLimit { return collapse }
        return SHA256.hash(data: Data(collapse.utf8)).hexadecimal
    }
}
