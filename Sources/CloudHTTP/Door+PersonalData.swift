// Owns what a person does to an app's data outside of the app, at the door of a development server.

import CloudService
import Hummingbird
import Records
import RecordsWire

extension Door {
    /// `POST /dev/zones?ckWebAuthToken=…`: `{"container":…, "environment"?, "reason":"purged" or
    /// "encryptedDataReset", "zones"?:[name]}` removes zones of that person's private database, all if none
    /// is named; answers their names under `zones`.
    func removeZones(_ request: Request) async -> Response {
        let uuid = service.seams.randomUUID()
        do {
            try service.checkDevelopment("dev/zones")
            let body = try await smallBody(of: request)
            let reason = try Self.reason(body.required("reason"))
            let caller = try await service.caller(
                Credentials(
                    apiToken: nil,
                    webAuthToken: RequestParameters(query: request.uri.query ?? "").webAuthToken, device: nil
                ),
                container: try body.required("container").string(),
                environment: try Self.environment(body["environment"])
            )
            let names =
                body["zones"] == nil
                ? nil
                : try body.list("zones") { node throws(RecordError) in
                    try node.string()
                }
            let removed = try await service.removeZones(names, because: reason, by: caller)
            var json = JSONWriter()
            json.beginObject()
            json.member("zones", removed)
            json.endObject()
            return Self.response(.ok, json.bytes, uuid: uuid)
        } catch {
            return failure(error, uuid: uuid, addsDetails: true)
        }
    }

    private static func reason(_ node: JSONNode) throws(RecordError) -> ZoneDeletionReason {
        switch try node.string() {
        case "purged": return .purged
        case "encryptedDataReset": return .encryptedDataReset
        case let other:
            throw RecordError(
                .badRequest, "there is no such reason", culprit: other,
                nextStep: "use purged or encryptedDataReset; an app deletes its zones with zones/modify"
            )
        }
    }

    private static func environment(_ node: JSONNode?) throws(RecordError) -> CloudEnvironment {
        guard let name = try node?.string() else { return .development }
        return try CloudEnvironment(wire: name)
    }
}
