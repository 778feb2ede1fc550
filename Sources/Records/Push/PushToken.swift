import Foundation

/// A device, or a page in a browser, to which pushes for somebody are sent.
package struct PushToken: Hashable, Sendable {
    /// Which of Apple's push services a device is registered with; a web courier keeps them apart too.
    package enum Service: String, Hashable, Sendable {
        case development
        case production
    }

    /// Unguessable; whoever has it may take the pushes.
    package var text: String
    package var service: Service
    package var container: String
    package var environment: CloudEnvironment
    /// The user record name of whoever is told.
    package var user: String
    /// The installation, as the client names it; nil: it does not.
    package var client: String?
    package var created: Timestamp
    /// The hash that names the session in which it was registered, and with which it ends; nil: it was
    /// registered before that was kept.
    package var session: [UInt8]?

    package init(
        text: String, service: Service, container: String, environment: CloudEnvironment, user: String,
        client: String?, created: Timestamp, session: [UInt8]? = nil
    ) {
        self.text = text
        self.service = service
        self.container = container
        self.environment = environment
        self.user = user
        self.client = client
        self.created = created
        self.session = session
    }

    /// The token as Apple's push service knows a device, in hexadecimal; nil for the token of a courier.
    ///
    /// Those of our couriers have 24 bytes, Apple's 32 or more, and come in hexadecimal or in base64.
    package var deviceToken: String? {
        if text.utf8.count >= 64, text.utf8.count.isMultiple(of: 2), text.allSatisfy(\.isHexDigit) {
            return text.lowercased()
        }
        guard let bytes = Data(base64Encoded: text), bytes.count >= 32 else { return nil }
        return bytes.hexadecimal
    }

    /// How traces name the device: never by the whole token.
    package var displayName: String { client ?? String(text.prefix(6)) }
}
