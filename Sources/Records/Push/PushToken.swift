import Foundation

/// The registration of a device or a browser page for one user's pushes.
package struct PushToken: Hashable, Sendable {
    /// The environment of Apple's push service in which a device is registered. Web push registrations are
    /// kept apart in the same way.
    package enum Service: String, Hashable, Sendable {
        case development
        case production
    }

    /// The secret token. Anyone who knows it can receive the pushes.
    package var text: String
    package var service: Service
    package var container: String
    package var environment: CloudEnvironment
    /// The user record name of the recipient.
    package var user: String
    /// The client's name for this installation of the app; nil if it gave none.
    package var client: String?
    package var created: Timestamp
    /// The hash of the session in which the device registered; the registration ends with it. nil for
    /// registrations from before the server stored sessions.
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

    /// The container and environment of the registration.
    package var containerKey: ContainerKey { ContainerKey(container: container, environment: environment) }

    /// The device token for Apple's push service, in hexadecimal; nil for a web push token.
    ///
    /// Web push tokens have 24 bytes. Apple's have 32 or more, and clients send them in hexadecimal or
    /// base64.
    package var deviceToken: String? { Self.deviceToken(in: text) }

    /// The spelling under which a token is registered, so that a device is registered once however its token
    /// is spelled: device tokens of Apple's push service in lower-case hexadecimal, others as they are.
    package static func normalized(_ text: String) -> String { deviceToken(in: text) ?? text }

    private static func deviceToken(in text: String) -> String? {
        let count = text.utf8.count
        // `isHexDigit` is true for full-width digits too, hence the check for ASCII.
        if count >= 64, count.isMultiple(of: 2), text.allSatisfy({ $0.isASCII && $0.isHexDigit }) {
            return text.lowercased()
        }
        guard let bytes = Data(base64Encoded: text), bytes.count >= 32 else { return nil }
        return bytes.hexadecimal
    }

    /// The device's name in traces, which never contain the whole token.
    package var displayName: String { client ?? String(text.prefix(6)) }
}
