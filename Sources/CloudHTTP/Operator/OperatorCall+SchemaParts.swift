// Owns the operator's calls about single parts of a schema: types, fields, roles and grants.

import CloudService
import Records
import RecordsWire

extension OperatorCall {
    static let schemaPartCalls = [
        post("containers/:container/:environment/schema/count") { visit in
            let count = try await visit.service.count(try visit.part(), of: try visit.development())
            var json = JSONWriter()
            json.beginObject()
            json.member("records", Int64(count))
            json.endObject()
            return json.bytes
        },
        post("containers/:container/:environment/schema/delete") { visit in
            let part = try visit.part()
            return try await visit.service.deleteFromSchema(part, of: try visit.development()).encoded()
        },
        post("containers/:container/:environment/schema/grant") { visit in
            let change = try await visit.service.setGrant(
                try Permission(visit.body.required("permission")),
                on: try visit.body.required("type").string(), to: try visit.body.required("role").string(),
                in: try visit.development(), isThere: try visit.body["remove"]?.bool() != true
            )
            return change.encoded()
        },
        post("containers/:container/:environment/roles/create") { visit in
            let name = try visit.body.required("role").string()
            return try await visit.service.createRole(name, in: try visit.development()).encoded()
        },
    ]
}

extension OperatorVisit {
    /// The type in the body, or the field of it.
    fileprivate func part() throws(RecordError) -> SchemaSource.Part {
        let type = try body.required("type").string()
        if let field = body["field"] { return .field(try field.string(), of: type) }
        return .type(type)
    }
}

extension Permission {
    /// Reads a permission, in any case.
    init(_ node: JSONNode) throws(RecordError) {
        let name = try node.string()
        guard let permission = Permission(rawValue: name.uppercased()) else {
            throw RecordError(
                .badRequest, "there is no permission of that name", culprit: name,
                nextStep: "use read, create or write"
            )
        }
        self = permission
    }
}
