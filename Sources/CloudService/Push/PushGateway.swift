package import Records

/// A connection to an external push service. It does not retry; the caller decides whether and when to.
package protocol PushGateway: Sendable {
    /// Sends a push to the device that the push service knows by `deviceToken`. Errors are returned as
    /// answers.
    func send(
        _ push: GatewayPush, to deviceToken: String, of service: PushToken.Service
    ) async
        -> GatewayAnswer

    /// Closes the connections.
    func close() async
}

/// A push and the time after which it need not be delivered.
package struct GatewayPush: Hashable, Sendable {
    package var message: PushMessage
    package var expires: Timestamp

    package init(_ message: PushMessage, expires: Timestamp) {
        self.message = message
        self.expires = expires
    }
}

/// The answer of the push service to one push.
package enum GatewayAnswer: Hashable, Sendable {
    /// The push service delivers the push.
    case accepted
    /// The push service no longer knows the device, since the given time if it names one. Nothing may be sent
    /// to the device any more.
    case gone(String, since: Timestamp?)
    /// This push can never be delivered.
    case refused(String)
    /// The push may be delivered later, after the given number of seconds if the service names one.
    case later(String, seconds: Int?)
}
