// Owns what a development server tells about the files it keeps.

import CloudService
import Hummingbird
import Records
import RecordsWire

extension Door {
    /// `GET /dev/storage?container=…`: how many files the databases of a container keep, under
    /// `assetFiles`; equal contents in a database are one file.
    func tellStorage(_ request: Request) async -> Response {
        let uuid = service.seams.randomUUID()
        do {
            try service.checkDevelopment("dev/storage")
            let container = String(request.uri.queryParameters["container"] ?? "")
            let files = try await service.usage(of: container).map(\.usage.assetFiles).reduce(0, +)
            var json = JSONWriter()
            json.beginObject()
            json.member("assetFiles", Int64(files))
            json.endObject()
            return Self.response(.ok, json.bytes, uuid: uuid)
        } catch {
            return failure(error, uuid: uuid, addsDetails: true)
        }
    }
}
