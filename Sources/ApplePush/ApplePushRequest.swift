import CloudService
import Crypto
import Foundation
import Records
import RecordsWire

/// A push as Apple's push service takes it over HTTP/2.
struct ApplePushRequest: Hashable, Sendable {
    var path: String
    var headers: [String: String]
    var payload: [UInt8]

    /// What the push service takes at most, in bytes.
    static let payloadLimit = 4096
    private static let collapseLimit = 64

    /// - Parameters:
    ///   - deviceToken: in hexadecimal.
    ///   - topic: the bundle identifier of the app.
    ///   - limit: the bytes to which the payload is pruned.
    init(_ push: GatewayPush, to deviceToken: String, topic: String, limit: Int) {
        let message = push.message
        path = "/3/device/\(deviceToken)"
        headers = [
            "apns-topic": topic,
            "apns-push-type": message.isVisible ? "alert" : "background",
            // What is seen is sent at once; all else when it suits the device.
            "apns-priority": message.isVisible ? "10" : "5",
            "apns-expiration": String(push.expires.milliseconds / 1000),
        ]
        if let collapse = message.notification.look.collapseID {
            headers["apns-collapse-id"] = Self.short(collapse)
        }
        payload = message.encoded(limit: min(limit, Self.payloadLimit))
    }

    /// An identifier that is too long is one still when it is hashed.
    private static func short(_ collapse: String) -> String {
        let isPlain = collapse.utf8.allSatisfy { (0x20..<0x7f).contains($0) }
        if isPlain, collapse.utf8.count <= collapseLimit { return collapse }
        return SHA256.hash(data: Data(collapse.utf8)).hexadecimal
    }
}
