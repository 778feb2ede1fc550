// Owns the telling of which rule of access allows or refuses something, on development servers.

import CloudService
import Hummingbird
import Records
import RecordsWire

extension Door {
    /// `POST /dev/access?ckWebAuthToken=…` with `{"container":…, "environment":…, "permission":…,
    /// "recordType":… or "recordName":…}`: what the rules of the public database say to the caller.
    func explainAccess(_ request: Request) async -> Response {
        let uuid = service.seams.randomUUID()
        do {
            try service.checkDevelopment("dev/access")
            let body = try await smallBody(of: request)
            let environment = try CloudEnvironment(wire: body.required("environment").string())
            let parameters = RequestParameters(query: request.uri.query ?? "")
            let caller = try await service.caller(
                Credentials(webAuthToken: parameters.webAuthToken),
                container: try body.required("container").string(), environment: environment
            )
            let verdict = try await service.explain(
                try Permission(body.required("permission")), type: try body["recordType"]?.string(),
                recordName: try body["recordName"]?.string(), by: caller
            )
            return Self.response(.ok, verdict.encoded(), uuid: uuid)
        } catch {
            return failure(error, uuid: uuid, addsDetails: true)
        }
    }
}

extension AccessVerdict {
    fileprivate func encoded() -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.member("allowed", isAllowed)
        json.member("permission", permission.rawValue)
        json.member("recordType", type)
        json.member("recordName", culprit)
        json.member("granted", granted.map(\.name))
        json.member("held", held.map(\.name))
        json.member("explanation", explanation)
        json.endObject()
        return json.bytes
    }
}
