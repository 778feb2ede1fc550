// Owns what a development server tells about how much it keeps.

import CloudService
import Hummingbird
import Records
import RecordsWire

extension Door {
    /// `GET /dev/storage?container=…`: how many files the databases of a container keep, under
    /// `assetFiles`; equal contents in a database are one file. With `ckWebAuthToken=…`, also what that
    /// person's private data takes up, `privateBytes`, and may, `privateBytesLimit`.
    func tellStorage(_ request: Request) async -> Response {
        let uuid = service.seams.randomUUID()
        do {
            try service.checkDevelopment("dev/storage")
            let container = String(request.uri.queryParameters["container"] ?? "")
            let files = try await service.usage(of: container).map(\.usage.assetFiles).reduce(0, +)
            let token = RequestParameters(query: request.uri.query ?? "").webAuthToken
            var room: (used: Int64, limit: Int64?)?
            if token != nil {
                let caller = try await service.caller(
                    Credentials(webAuthToken: token), container: container, environment: .development)
                room = try await service.privateBytes(of: caller)
            }
            let body = JSONWriter.object { json in
                json.member("assetFiles", Int64(files))
                json.member("privateBytes", room?.used)
                json.member("privateBytesLimit", room?.limit)
            }
            return Self.response(.ok, body, uuid: uuid)
        } catch {
            return failure(error, uuid: uuid, addsDetails: true)
        }
    }
}
