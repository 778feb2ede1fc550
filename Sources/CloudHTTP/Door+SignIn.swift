// Owns signing in by name, which development servers allow.

import CloudService
import Hummingbird
import Records
import RecordsWire

extension Door {
    /// `{"name":…, "container":…?}` gives `{"ckWebAuthToken":…, "userRecordName":…?}`.
    func signIn(_ request: Request) async -> Response {
        let uuid = service.seams.randomUUID()
        do {
            let body = try await smallBody(of: request)
            let signIn = try await service.signIn(
                name: try body.required("name").string(), container: try body["container"]?.string()
            )
            var json = JSONWriter()
            json.beginObject()
            json.member("ckWebAuthToken", signIn.webAuthToken)
            json.member("userRecordName", signIn.userRecordName)
            json.endObject()
            return Self.response(.ok, json.bytes, uuid: uuid)
        } catch {
            return failure(error, uuid: uuid, addsDetails: true)
        }
    }
}
