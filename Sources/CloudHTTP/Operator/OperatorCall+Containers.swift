// Owns the operator's calls about containers.

import CloudService
import Records
import RecordsWire

extension OperatorCall {
    static let containerCalls = [
        get("containers") { visit in
            JSONWriter.list("containers", try await visit.service.containers()) { json, container in
                json.beginObject()
                container.writeMembers(to: &json)
                json.endObject()
            }
        },
        post("containers") { visit in
            let name = try visit.body.required("name").string()
            let container = try await visit.service.createContainer(name)
            return JSONWriter.object { container.writeMembers(to: &$0) }
        },
        get("containers/:container") { visit in
            let container = try await visit.service.container(try visit.name("container"))
            let usage = try await visit.service.usage(of: container.name)
            let users = try await visit.service.userCount(of: container.name)
            return JSONWriter.object { json in
                container.writeMembers(to: &json)
                json.member("users", users)
                for part in usage { part.write(to: &json) }
            }
        },
        post("containers/:container/delete") { visit in
            let name = try visit.name("container")
            try await visit.service.deleteContainer(name)
            return JSONWriter.object { json in
                json.member("name", name)
                json.member("deleted", true)
            }
        },
    ]
}

extension ContainerReport {
    fileprivate func writeMembers(to json: inout JSONWriter) {
        json.member("name", name)
        json.member("createdAt", createdAt.milliseconds)
        json.member("warnings", warnings)
    }
}

extension ContainerUsage {
    /// A member under the name of the environment.
    fileprivate func write(to json: inout JSONWriter) {
        json.key(environment.rawValue)
        json.beginObject()
        json.member("privateDatabases", Int64(usage.privateDatabases))
        json.member("bytes", usage.bytes)
        json.member("publicRecordBytes", publicSpace.recordBytes)
        json.member("publicRecordBytesLimit", publicSpace.recordLimit)
        json.member("publicAssetBytes", publicSpace.assetBytes)
        json.member("publicAssetBytesLimit", publicSpace.assetLimit)
        json.endObject()
    }
}
