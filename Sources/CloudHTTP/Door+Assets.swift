// Owns the way of a file's bytes through the door, in both directions, never whole in memory.

import CloudService
import HTTPTypes
import Hummingbird
import NIOCore
import Records
import RecordsWire

extension Door {
    /// Takes a file. The ticket in the address is all that is needed (web services sheet 4).
    func upload(_ request: Request, ticket: String) async -> Response {
        let uuid = service.seams.randomUUID()
        do {
            let length = request.headers[.contentLength].flatMap { Int64($0) }
            let asset = try await service.receive(request.body, expectedSize: length, ticket: ticket)
            return Self.response(.ok, SingleFileAnswer(asset).encoded(), uuid: uuid)
        } catch {
            return failure(error, uuid: uuid, addsDetails: request.headers[.cloudletDetails] == "1")
        }
    }

    /// Gives a file out. A file name behind the ticket is the client's own affair.
    func download(_ request: Request, ticket: String) async -> Response {
        do {
            let file = try await service.download(ticket: ticket)
            var headers = HTTPFields()
            headers[.contentType] = "application/octet-stream"
            headers[.accessControlAllowOrigin] = "*"
            let body = ResponseBody(contentLength: Int(file.size)) { writer in
                for try await chunk in file.chunks { try await writer.write(chunk) }
                try await writer.finish(nil)
            }
            return Response(status: .ok, headers: headers, body: body)
        } catch {
            let details = request.headers[.cloudletDetails] == "1"
            return failure(error, uuid: service.seams.randomUUID(), addsDetails: details)
        }
    }
}
