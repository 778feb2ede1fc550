import Foundation
internal import Records
internal import RecordsWire

/// Receives the pushes of an installation, and reads the server's notification collection.
struct PushClient: Sendable {
    let client: CloudClient

    /// Fetches one page of the notifications after a token. Throws `CKError`.
    func notifications(
        since token: CKServerChangeToken?, limit: Int
    ) async throws -> (notifications: [CKNotification], token: CKServerChangeToken, moreComing: Bool) {
        do {
            let bytes = token.flatMap { Base64.decode($0.text) }
            let request = NotificationsRequest(
                token: bytes.map { ChangeToken(bytes: $0) }, limit: limit > 0 ? limit : nil)
            let answer = try NotificationsAnswer(bytes: try await client.call(.notificationsChanges, request))
            return (
                answer.notifications.map { CKNotification.make($0) },
                CKServerChangeToken(text: Data(answer.token.bytes).base64EncodedString()), answer.moreComing
            )
        } catch {
            throw CKError(failure: error)
        }
    }

    /// Marks notifications as read and returns the IDs of those that exist. Throws `CKError`.
    func markRead(_ ids: [CKNotification.ID]) async throws -> [CKNotification.ID] {
        guard !ids.isEmpty else { return [] }
        do {
            let request = NotificationsReadRequest(ids.map(\.text))
            let answer = try await client.call(.notificationsRead, request, changes: true)
            return try NotificationsReadRequest(bytes: answer).ids.map { CKNotificationID(text: $0) }
        } catch {
            throw CKError(failure: error)
        }
    }

    /// Sets the badge number of the app's icon. Throws `CKError`.
    func setBadge(_ value: Int) async throws {
        guard value >= 0 else {
            throw CKError.invalidArguments("A badge is 0 or more, not \(value) - pass 0 to remove it")
        }
        do {
            _ = try await client.call(.badge, BadgeRequest(value), changes: true)
        } catch {
            throw CKError(failure: error)
        }
    }

    /// Registers a device token, so that the pushes of this installation are sent to that device. Throws
    /// `CKError`.
    func register(deviceToken: Data) async throws {
        guard (32...256).contains(deviceToken.count) else {
            throw CKError.invalidArguments(
                "A device token has 32 to 256 bytes, not \(deviceToken.count) - pass the token of the system"
            )
        }
        let request = PushTokenRequest(
            service: service, token: deviceToken.hexadecimal, client: client.connection.deviceName)
        do {
            _ = try await client.call(.tokensRegister, request, changes: true)
        } catch {
            throw CKError(failure: error)
        }
    }

    /// Tells the server to end the push connection of this installation. Throws `CKError`.
    func leavePushes() async throws {
        do {
            let courier = try await courier()
            let target = PushEndpoint.leave.address(ofCourier: courier)
            let response = try await client.connection.transport.send(CloudRequest(.post, target))
            guard response.status == 200 else {
                throw RecordError(status: response.status, body: response.bytes)
            }
        } catch {
            throw CKError(failure: error)
        }
    }

    /// The address from which this installation fetches its pushes.
    private func courier() async throws -> String {
        let request = PushTokenRequest(service: service, client: client.connection.deviceName)
        return try PushTokenAnswer(bytes: try await client.call(.tokensCreate, request, changes: true))
            .courier
    }

    private var service: PushToken.Service {
        client.connection.environment == .production ? .production : .development
    }

    /// Receives pushes until the connection ends. Uses the connection of another listener of this device if
    /// there is one. Throws `CKError` when the connection cannot be opened or breaks, also when nothing
    /// arrives for longer than `longestSilence`, and `PushConnectionHandover`.
    ///
    /// - Parameter onOpen: Called each time bytes arrive. The first bytes show that the connection is open.
    func takePushes(
        onOpen: @escaping @Sendable () -> Void, _ take: @escaping @Sendable (CKNotification) -> Void
    ) async throws {
        let connection = client.connection
        let place = PushSharing.Key(
            container: client.container, environment: connection.environment, device: connection.deviceName,
            session: connection.senderName)
        try await connection.pushes.listen(at: place, PushSharing.Listener(onOpen: onOpen, take: take)) {
            try await connect($0)
        }
    }

    /// Receives pushes like `takePushes`, without errors. Returns whether the connection must be opened again
    /// at once.
    func takePushesUntilHandOver(
        onOpen: @escaping @Sendable () -> Void, _ take: @escaping @Sendable (CKNotification) -> Void
    ) async -> Bool {
        do { try await takePushes(onOpen: onOpen, take) } catch { return error is PushConnectionHandover }
        return false
    }

    private func connect(_ listener: PushSharing.Listener) async throws {
        do {
            let courier = try await courier()
            var stream = CloudRequest(.get, PushEndpoint.stream.address(ofCourier: courier))
            stream.headers[detailsHeader] = "1"
            stream.idleTimeout = Self.longestSilence
            let lines = Locked<[UInt8]>([])
            stream.onBytes = { bytes in
                listener.onOpen()
                for line in try lines.withLock({ try Self.lines(completedBy: bytes, in: &$0) }) {
                    if let message = try? PushMessage(bytes: line) {
                        listener.take(CKNotification.make(message))
                    }
                }
            }
            let response = try await client.connection.transport.send(stream)
            guard response.status == 200 else {
                throw RecordError(status: response.status, body: response.bytes)
            }
        } catch {
            throw CKError(failure: error)
        }
    }

    /// Appends `bytes` to the buffer and removes the complete lines, which it returns without empty ones.
    /// Throws `connectionLost` for a line that is longer than any push can be.
    private static func lines(completedBy bytes: [UInt8], in buffer: inout [UInt8]) throws -> [[UInt8]] {
        let start = buffer.count
        buffer += bytes
        // Only the new bytes are searched for a line end, so that many small parts of a long line do not take
        // quadratic time.
        guard let end = buffer[start...].lastIndex(of: UInt8(ascii: "\n")) else {
            if buffer.count <= longestLine { return [] }
            throw CloudTransportError.connectionLost("a push is longer than \(longestLine) bytes")
        }
        let lines = buffer[..<end].split(separator: UInt8(ascii: "\n")).map { Array($0) }
        buffer.removeSubrange(...end)
        return lines
    }

    private static let longestLine = 1 << 20

    /// The time without a byte after which a connection counts as broken: three times
    /// `Limits.pushPollSeconds`, the interval in which the server sends at least an empty line. TCP does not
    /// report the loss of a connection on which this side writes nothing.
    private static let longestSilence = Duration.seconds(3 * Limits().pushPollSeconds)
}
