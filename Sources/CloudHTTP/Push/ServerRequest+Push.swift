import CloudService
import HTTPTypes
import Hummingbird
import NIOCore
import Records
import RecordsWire

extension ServerRequest {
    func pushPoll() async throws -> Response {
        try await PushDelivery(handler: handler, context: context).poll(try await device(), uuid: uuid)
    }

    func pushStream() async throws -> Response {
        try await PushDelivery(handler: handler, context: context).stream(try await device(), uuid: uuid)
    }

    /// Ends the push connection of a device that announces that it goes offline. Otherwise the server would
    /// notice this only later.
    func pushLeave() async throws -> Response {
        service.pushHub.leave(try await device())
        return RequestHandler.response(.ok, DoneAnswer().encoded(), uuid: uuid)
    }

    /// Returns the device whose token is in the query. No other credentials are needed.
    private func device() async throws -> PushToken {
        let device = try await service.devices.device(withToken: try query("tok") ?? "")
        if device.deviceToken == nil { return device }
        // Apps pass the tokens of push services to third parties, while the tokens of couriers are secret.
        throw RecordError(
            .accessDenied, "pushes of this device come through its push service", culprit: "tok",
            nextStep: "create a courier with tokens/create, and use the webcourierURL of its answer"
        )
    }
}

/// Sends pushes to a device as long as its connection lasts. It does not retain the request, because very
/// many such connections are open at the same time.
private struct PushDelivery: Sendable {
    let handler: RequestHandler
    let context: ServerRequestContext

    /// Answers with one notification when it arrives, or with an empty body after a while.
    func poll(_ device: PushToken, uuid: String) async throws -> Response {
        let type = "application/json; charset=UTF-8"
        return try await delivering(to: device, uuid, type: type) { device, connection, writer in
            defer { handler.service.pushHub.disconnect(device, connection, isPoll: true) }
            try await handler.service.pushHub.serving(device, connection) {
                guard case .pushes(let pushes) = try await next(device, connection, atMost: 1) else { return }
                try await send(pushes, to: device) { try await writer.write(chunk($0).message) }
            }
        }
    }

    /// Answers with one line for each notification, as they arrive. It also sends an empty line at the
    /// beginning and from time to time, so that each side notices if the other one has gone.
    func stream(_ device: PushToken, uuid: String) async throws -> Response {
        try await delivering(to: device, uuid, type: "application/x-ndjson") { device, connection, writer in
            defer { handler.service.pushHub.disconnect(device, connection, isPoll: false) }
            let pulse = ByteBuffer(bytes: [UInt8(ascii: "\n")])
            try await writer.write(pulse)
            let pushWriter = context.pushWriter(chunk)
            try await handler.service.pushHub.serving(device, connection, writer: pushWriter) {
                while true {
                    switch try await next(device, connection, atMost: 100) {
                    case .ended: return
                    case .quiet: try await writer.write(pulse)
                    case .pushes(let pushes):
                        try await send(pushes, to: device) { try await writer.write(chunk($0).line) }
                    }
                }
            }
        }
    }

    private func next(_ device: PushToken, _ connection: Int, atMost count: Int) async throws -> PushBatch {
        try await handler.service.pushHub.next(device, connection, atMost: count)
    }

    private func chunk(_ push: QueuedPush) -> PushChunk {
        push.body.form { PushChunk($0.encoded(limit: handler.service.limits.pushBytes)) }
    }

    /// Sends pushes one by one. Those that could not be sent go back to the queue.
    private func send(
        _ pushes: [QueuedPush], to device: PushToken, _ write: (QueuedPush) async throws -> Void
    ) async throws {
        for (index, push) in pushes.enumerated() {
            do {
                try await write(push)
            } catch {
                handler.service.pushHub.takeBack(Array(pushes[index...]), for: device)
                throw error
            }
            handler.service.pushHub.traceSent([push], to: device)
        }
    }

    private typealias Work = @Sendable (PushToken, Int, inout any ResponseBodyWriter) async throws -> Void

    private func delivering(
        to device: PushToken, _ uuid: String, type: String, _ work: @escaping Work
    ) async throws -> Response {
        let connection = try await handler.service.pushes.connect(device)
        var response = RequestHandler.response(.ok, [], uuid: uuid)
        response.headers[.contentType] = type
        response.headers[.cacheControl] = "no-store"
        response.body = ResponseBody { writer in
            try await context.onLoop { try await work(device, connection, &writer) }
            try await writer.finish(nil)
        }
        response.headers[.contentLength] = nil
        return response
    }
}
