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
            try await visit.service.container(try visit.name("container")).encoded()
        },
    ]
}

extension ContainerReport {
    fileprivate func encoded() -> [UInt8] {
        var json = JSONWriter()
        write(to: &json)
        return json.bytes
    }

    fileprivate func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("name", name)
        json.member("createdAt", createdAt.milliseconds)
        json.member("warnings", warnings)
        json.endObject()
    }
}
