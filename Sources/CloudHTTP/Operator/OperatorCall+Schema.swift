// Owns the operator's calls about schemas.

import CloudService
import Records
import RecordsWire

extension OperatorCall {
    static let schemaCalls = [
        get("containers/:container/:environment/schema") { visit in
            let environment = try visit.environment()
            let schema = try await visit.service.schema(of: try visit.name("container"), in: environment)
            var json = JSONWriter()
            json.beginObject()
            json.member("environment", environment.rawValue)
            json.member("schema", schema.text)
            schema.writeTypes(to: &json)
            json.endObject()
            return json.bytes
        },
        post("containers/:container/:environment/schema/import") { visit in
            let source = try visit.source()
            return try await visit.service.importSchema(source, into: try visit.development()).encoded()
        },
        post("containers/:container/:environment/schema/validate") { visit in
            let source = try visit.source()
            return try await visit.service.checkSchema(source, for: try visit.development()).encoded()
        },
        post("containers/:container/:environment/schema/diff") { visit in
            let source = try visit.source()
            let old = try await visit.service.schema(
                of: try visit.name("container"), in: try visit.environment())
            return SchemaComparison(old: old, new: source.schema).encoded()
        },
        post("containers/:container/:environment/schema/deploy") { visit in
            let isTrial = try visit.body["dryRun"]?.bool() ?? false
            let change = try await visit.service.deploySchema(
                of: try visit.development(), isTrial: isTrial
            ) { try SchemaSource(text: Array($0.text.utf8)) }
            return change.encoded()
        },
        post("containers/:container/:environment/schema/reset") { visit in
            try await visit.service.resetSchema(of: try visit.development()).encoded()
        },
        post("containers/:container/:environment/schema/index") { visit in
            let change = try await visit.service.setIndex(
                try visit.index(), on: try visit.body.required("field").string(),
                of: try visit.body.required("type").string(), in: try visit.development(),
                isThere: try visit.body["remove"]?.bool() != true
            )
            return change.encoded()
        },
    ]
}

extension OperatorVisit {
    /// The container, where the path names its development. Throws for production, whose schema is only ever
    /// deployed.
    func development() throws(RecordError) -> String {
        if try environment() == .development { return try name("container") }
        throw RecordError(
            .badRequest, "the schema of production is locked", culprit: "production",
            nextStep: "change it in development, then: cloudlet schema deploy CONTAINER"
        )
    }

    /// The schema text in the body.
    func source() throws(RecordError) -> SchemaSource {
        try SchemaSource(text: Array(try body.required("schema").string().utf8))
    }

    /// The kind of index in the body.
    fileprivate func index() throws(RecordError) -> IndexSet {
        let name = try body.required("index").string()
        if let index = IndexSet.kinds[name.lowercased()] { return index }
        throw RecordError(
            .badRequest, "there is no index of this kind", culprit: name,
            nextStep: "use queryable, sortable or searchable"
        )
    }
}

extension SchemaComparison {
    func encoded() -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.key("differences")
        json.beginArray()
        for difference in differences {
            json.beginObject()
            json.member("kind", difference.kind.rawValue)
            switch difference.part {
            case .role(let name): json.member("role", name)
            case .type(let name): json.member("type", name)
            case .field(let name, let type):
                json.member("type", type)
                json.member("field", name)
            }
            json.member("text", text(of: difference))
            json.endObject()
        }
        json.endArray()
        json.endObject()
        return json.bytes
    }
}
