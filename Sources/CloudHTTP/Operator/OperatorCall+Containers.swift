// Owns the operator's calls about containers.

import CloudService
import Records
import RecordsWire

extension OperatorCall {
    static let containerCalls = [
        get("containers") { visit in
            var json = JSONWriter()
            json.beginObject()
            json.key("containers")
            json.beginArray()
            for container in try await visit.service.containers() { container.write(to: &json) }
            json.endArray()
            json.endObject()
            return json.bytes
        },
        post("containers") { visit in
            let name = try visit.body.required("name").string()
            return try await visit.service.createContainer(name).encoded()
        },
        get("containers/:container") { visit in
            let name = try visit.name("container")
            let container = try await visit.service.container(name)
            return container.encoded(with: try visit.service.usage(of: name))
        },
        post("containers/:container/delete") { visit in
            let name = try visit.name("container")
            try await visit.service.deleteContainer(name)
            var json = JSONWriter()
            json.beginObject()
            json.member("name", name)
            json.member("deleted", true)
            json.endObject()
            return json.bytes
        },
    ]
}

extension ContainerReport {
    fileprivate func encoded(with usage: [ContainerUsage] = []) -> [UInt8] {
        var json = JSONWriter()
        write(to: &json, usage)
        return json.bytes
    }

    fileprivate func write(to json: inout JSONWriter, _ usage: [ContainerUsage] = []) {
        json.beginObject()
        json.member("name", name)
        json.member("createdAt", createdAt.milliseconds)
        json.member("warnings", warnings)
        for part in usage {
            json.key(part.environment.rawValue)
            json.beginObject()
            json.member("privateDatabases", Int64(part.usage.privateDatabases))
            json.member("bytes", part.usage.bytes)
            json.endObject()
        }
        json.endObject()
    }
}
