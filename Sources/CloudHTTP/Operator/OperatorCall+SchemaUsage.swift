// Owns the operator's call that holds a schema against what was saved and asked for.

import CloudService
import Records
import RecordsWire

extension OperatorCall {
    static let schemaUsageCalls = [
        post("containers/:container/:environment/schema/check") { visit in
            let source = try visit.source()
            let (container, environment) = (try visit.name("container"), try visit.environment())
            let gaps = try await visit.service.gaps(in: source.schema, of: container, in: environment)
            return JSONWriter.object { json in
                json.key("gaps")
                json.beginArray()
                for gap in gaps.list { gap.write(to: &json, of: container) }
                json.endArray()
                json.member("mended", gaps.schema.text)
            }
        }
    ]
}

extension SchemaGap {
    fileprivate func write(to json: inout JSONWriter, of container: String) {
        json.beginObject()
        json.member("type", type)
        json.member("field", field)
        json.member("index", index)
        json.member("reason", reason)
        json.member("isMended", isMended)
        if let field, let index {
            json.member("command", "cloudlet schema index \(container) \(type) \(field) \(index)")
        }
        json.endObject()
    }
}
