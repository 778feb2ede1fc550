// Owns the operator's calls about roles and their members.

import CloudService
import Records
import RecordsWire

extension OperatorCall {
    static let roleCalls = [
        get("containers/:container/:environment/roles") { visit in
            let roles = try await visit.service.roles(
                of: try visit.name("container"), in: try visit.environment())
            var json = JSONWriter()
            json.beginObject()
            json.key("roles")
            json.beginArray()
            for role in roles { role.write(to: &json) }
            json.endArray()
            json.endObject()
            return json.bytes
        },
        post("containers/:container/:environment/roles/grant") { try await $0.setRole(isMember: true) },
        post("containers/:container/:environment/roles/revoke") { try await $0.setRole(isMember: false) },
    ]
}

extension OperatorVisit {
    /// Makes the person of the body a member of its role, or ends that.
    fileprivate func setRole(isMember: Bool) async throws -> [UInt8] {
        let (role, person) = (try body.required("role").string(), try body.required("person").string())
        let (user, isNew) = try await service.setRole(
            role, of: person, isMember: isMember, in: try name("container"), try environment()
        )
        var json = JSONWriter()
        json.beginObject()
        json.member("role", role)
        json.member("userRecordName", user)
        json.member("isMember", isMember)
        json.member("changed", isNew)
        json.endObject()
        return json.bytes
    }
}

extension RoleReport {
    fileprivate func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("name", name)
        json.key("members")
        json.beginArray()
        for member in members {
            json.beginObject()
            json.member("userRecordName", member.userRecordName)
            json.member("person", member.person)
            json.endObject()
        }
        json.endArray()
        json.endObject()
    }
}
