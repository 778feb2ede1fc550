// Owns the two ways in which devices take pushes: the web courier's long poll, and a stream of lines.

import CloudService
import HTTPTypes
import Hummingbird
import NIOCore
import Records
import RecordsWire

/// Hands pushes to whoever shows a token. No other credentials are needed (web services sheet 7.2).
struct PushDoor: Sendable {
    let door: Door

    func open(_ router: Router<DoorContext>) {
        router.on("push/poll", method: .get) { await poll($0, $1) }
        router.on("push/stream", method: .get) { await stream($0, $1) }
        router.on("push/leave", method: .post) { request, _ in await leave(request) }
        router.on("dev/push-trace", method: .get) { request, _ in trace(request) }
    }

    /// Answers with one notification when it comes, or with an empty body after a while.
    private func poll(_ request: Request, _ context: DoorContext) async -> Response {
        let type = "application/json; charset=UTF-8"
        return await answering(request, context, type: type) { device, connection, writer in
            defer { door.service.pushes.disconnect(device, connection, isPoll: true) }
            try await door.service.pushes.serving(device, connection) {
                guard case .pushes(let pushes) = try await next(device, connection, atMost: 1) else { return }
                try await send(pushes, to: device) { try await writer.write(chunk($0).message) }
            }
        }
    }

    /// Answers with a line for each notification, as they come, and with an empty line at first and now and
    /// then, so that both sides notice when the other has gone.
    private func stream(_ request: Request, _ context: DoorContext) async -> Response {
        await answering(request, context, type: "application/x-ndjson") { device, connection, writer in
            defer { door.service.pushes.disconnect(device, connection, isPoll: false) }
            let pulse = ByteBuffer(bytes: [UInt8(ascii: "\n")])
            try await writer.write(pulse)
            let outlet = context.outlet(chunk)
            try await door.service.pushes.serving(device, connection, outlet: outlet) {
                while true {
                    switch try await next(device, connection, atMost: 100) {
                    case .over: return
                    case .quiet: try await writer.write(pulse)
                    case .pushes(let pushes):
                        try await send(pushes, to: device) { try await writer.write(chunk($0).line) }
                    }
                }
            }
        }
    }

    /// Ends the connection of a device that goes off line and says so; nobody else would notice at once.
    private func leave(_ request: Request) async -> Response {
        let uuid = door.service.seams.randomUUID()
        do {
            door.service.pushes.leave(try await device(of: request))
            return Door.response(.ok, Array("{}".utf8), uuid: uuid)
        } catch {
            return door.failure(error, uuid: uuid, addsDetails: request.headers[.cloudletDetails] == "1")
        }
    }

    private func device(of request: Request) async throws -> PushToken {
        let device = try await door.service.device(withToken: request.uri.query.flatMap(Self.token) ?? "")
        if device.deviceToken == nil { return device }
        // Apps hand tokens of push services to others; those of couriers are secrets.
        throw RecordError(
            .accessDenied, "pushes of this device come through its push service", culprit: "tok",
            nextStep: "create a courier with tokens/create, and use the webcourierURL of its answer"
        )
    }

    private func next(_ device: PushToken, _ connection: Int, atMost count: Int) async throws -> PushTurn {
        try await door.service.pushes.next(device, connection, atMost: count)
    }

    private func chunk(_ push: QueuedPush) -> PushChunk {
        push.body.form { PushChunk($0.encoded(limit: door.service.limits.pushBytes)) }
    }

    /// Sends pushes one by one; those that do not get through go back.
    private func send(
        _ pushes: [QueuedPush], to device: PushToken, _ write: (QueuedPush) async throws -> Void
    ) async throws {
        for (index, push) in pushes.enumerated() {
            do {
                try await write(push)
            } catch {
                door.service.pushes.takeBack(Array(pushes[index...]), for: device)
                throw error
            }
            door.service.pushes.noteSent([push], to: device)
        }
    }

    private typealias Work = @Sendable (PushToken, Int, inout any ResponseBodyWriter) async throws -> Void

    private func answering(
        _ request: Request, _ context: DoorContext, type: String, _ work: @escaping Work
    ) async -> Response {
        do {
            let device = try await device(of: request)
            let connection = try await door.service.connect(device)
            var response = Door.response(.ok, [], uuid: door.service.seams.randomUUID())
            response.headers[.contentType] = type
            response.headers[.cacheControl] = "no-store"
            response.body = ResponseBody { writer in
                try await context.onLoop { try await work(device, connection, &writer) }
                try await writer.finish(nil)
            }
            response.headers[.contentLength] = nil
            return response
        } catch {
            let details = request.headers[.cloudletDetails] == "1"
            return door.failure(error, uuid: door.service.seams.randomUUID(), addsDetails: details)
        }
    }

    private static func token(in query: String) -> String? {
        for pair in query.utf8.split(separator: UInt8(ascii: "&")) {
            let pair = Substring(pair)
            if pair.hasPrefix("tok=") { return PercentEncoding.decode(pair.dropFirst(4)) }
        }
        return nil
    }

    /// `GET /dev/push-trace`: what became of the last pushes, and why; with `?from=N`, from that number on.
    private func trace(_ request: Request) -> Response {
        let uuid = door.service.seams.randomUUID()
        do {
            try door.service.checkDevelopment("dev/push-trace")
            let from = request.uri.queryParameters.get("from").flatMap { Int($0) } ?? 0
            var json = JSONWriter()
            json.beginObject()
            json.key("trace")
            json.beginArray()
            for entry in door.service.pushes.trace(from: from) { entry.write(to: &json) }
            json.endArray()
            json.endObject()
            return Door.response(.ok, json.bytes, uuid: uuid)
        } catch {
            return door.failure(error, uuid: uuid, addsDetails: true)
        }
    }
}

extension PushTraceEntry {
    fileprivate func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("number", Int64(number))
        json.member("at", at.milliseconds)
        json.member("container", container)
        json.member("user", user)
        json.member("notification", notification)
        json.member("subscription", subscription)
        json.member("device", device)
        json.member("outcome", outcome.rawValue)
        json.member("reason", reason)
        json.endObject()
    }
}
