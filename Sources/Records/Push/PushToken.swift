// Owns the device as the push service knows it.

/// A device, or a page in a browser, to which pushes for somebody are sent (web services sheet 7.1).
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

    package init(
        text: String, service: Service, container: String, environment: CloudEnvironment, user: String,
        client: String?, created: Timestamp
    ) {
        self.text = text
        self.service = service
        self.container = container
        self.environment = environment
        self.user = user
        self.client = client
        self.created = created
    }

    /// How traces name the device: never by the whole token.
    package var displayName: String { client ?? String(text.prefix(6)) }
}
