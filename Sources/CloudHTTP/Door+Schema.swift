// Owns what a development server tells everybody about a schema: the record types, to look at.

import CloudService
import Hummingbird
import Records
import RecordsWire

extension Door {
    /// `GET /dev/schema?container=…&environment=…`: the record types of a container under `types`, each with
    /// its fields, their indexes, and its grants; of development if no environment is named.
    func tellSchema(_ request: Request) async -> Response {
        let uuid = service.seams.randomUUID()
        do {
            try service.checkDevelopment("dev/schema")
            let query = request.uri.queryParameters
            let environment =
                try query["environment"].map { try CloudEnvironment(wire: String($0)) } ?? .development
            let schema = try await service.schema(of: String(query["container"] ?? ""), in: environment)
            let body = JSONWriter.object { json in
                json.member("environment", environment.rawValue)
                schema.writeTypes(to: &json)
            }
            return Self.response(.ok, body, uuid: uuid)
        } catch {
            return failure(error, uuid: uuid, addsDetails: true)
        }
    }
}
