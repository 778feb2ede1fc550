package import Records

/// The way to a push service. Retries nothing: whoever calls decides, by the clock.
package protocol PushGateway: Sendable {
    /// Sends a push to a device, by the token that the push service knows it by. What goes wrong is an
    /// answer too.
    func send(
        _ push: GatewayPush, to deviceToken: String, of service: PushToken.Service
    ) async
        -> GatewayAnswer

    /// Ends the connections.
    func close() async
}

/// A push and when it is not worth delivering any more.
package struct GatewayPush: Hashable, Sendable {
    package var message: PushMessage
    package var expires: Timestamp

    package init(_ message: PushMessage, expires: Timestamp) {
        self.message = message
        self.expires = expires
    }
}

/// What a push service said of one push.
package enum GatewayAnswer: Hashable, Sendable {
    /// It will see to the rest.
    case accepted
    /// It does not know the device, since that time if it says so: nobody may send to it any more.
    case gone(String, since: Timestamp?)
    /// This push will never get through.
    case refused(String)
    /// It may get through later, not before so many seconds if it says so.
    case later(String, seconds: Int?)
}
