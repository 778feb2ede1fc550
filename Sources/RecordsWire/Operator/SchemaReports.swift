package import Records

/// The differences between two versions of a schema.
package struct SchemaChange: WireObject {
    /// One difference.
    package struct Item: WireObject {
        package var difference: SchemaDifference
        /// The difference in one line, such as `+ Party.name STRING QUERYABLE`.
        package var text: String

        package init(_ difference: SchemaDifference, text: String) {
            self.difference = difference
            self.text = text
        }

        package init(_ object: JSONNode) throws(RecordError) {
            let kind = try object.required("kind")
            guard let known = SchemaDifference.Kind(rawValue: try kind.string()) else {
                throw kind.unexpected()
            }
            let part: SchemaSource.Part
            if let role = object["role"] {
                part = .role(try role.string())
            } else {
                let type = try object.required("type").string()
                part =
                    try object["field"].map { (field) throws(RecordError) in
                        .field(try field.string(), of: type)
                    } ?? .type(type)
            }
            difference = SchemaDifference(known, part)
            text = try object.required("text").string()
        }

        package func writeMembers(to json: inout JSONWriter) {
            json.member("kind", difference.kind.rawValue)
            switch difference.part {
            case .role(let name): json.member("role", name)
            case .type(let name): json.member("type", name)
            case .field(let name, let type):
                json.member("type", type)
                json.member("field", name)
            }
            json.member("text", text)
        }
    }

    package var differences: [Item]

    package init(_ differences: [Item]) {
        self.differences = differences
    }

    package init(_ object: JSONNode) throws(RecordError) {
        differences = try object.objects("differences")
    }

    package func writeMembers(to json: inout JSONWriter) {
        json.list("differences", differences) { $0.write(to: &$1) }
    }
}

/// The types, fields and indexes that requests used and that a schema lacks.
package struct SchemaGapsReport: WireObject {
    /// One missing part.
    package struct Item: WireObject {
        package var gap: SchemaGap
        /// The command that adds the missing part to the container; nil if only an import of a schema can add
        /// it.
        package var command: String?

        package init(_ gap: SchemaGap, command: String?) {
            self.gap = gap
            self.command = command
        }

        package init(_ object: JSONNode) throws(RecordError) {
            gap = SchemaGap(
                type: try object.required("type").string(), field: try object["field"]?.string(),
                index: try object["index"]?.string(), reason: try object.required("reason").string(),
                isRepaired: try object.required("isMended").bool())
            command = try object["command"]?.string()
        }

        package func writeMembers(to json: inout JSONWriter) {
            json.member("type", gap.type)
            json.member("field", gap.field)
            json.member("index", gap.index)
            json.member("reason", gap.reason)
            json.member("isMended", gap.isRepaired)
            json.member("command", command)
        }
    }

    package var gaps: [Item]
    /// The schema text with all missing parts that can be added.
    package var repaired: String

    package init(gaps: [Item], repaired: String) {
        self.gaps = gaps
        self.repaired = repaired
    }

    package init(_ object: JSONNode) throws(RecordError) {
        gaps = try object.objects("gaps")
        repaired = try object.required("mended").string()
    }

    package func writeMembers(to json: inout JSONWriter) {
        json.list("gaps", gaps) { $0.write(to: &$1) }
        json.member("mended", repaired)
    }
}

/// The schema of a container in one environment.
package struct SchemaReport: WireObject {
    package var environment: CloudEnvironment
    /// The schema in the schema language. Only the operator receives it.
    package var text: String?
    package var types: [RecordTypeReport]

    package init(_ schema: Schema, in environment: CloudEnvironment, withText: Bool) {
        self.environment = environment
        text = withText ? schema.text : nil
        types = schema.types.values.sorted { $0.name.precedesInBytes($1.name) }.map(RecordTypeReport.init)
    }

    package init(_ object: JSONNode) throws(RecordError) {
        environment = try object.required("environment").environment()
        text = try object["schema"]?.string()
        types = try object.objects("types")
    }

    package func writeMembers(to json: inout JSONWriter) {
        json.member("environment", environment.rawValue)
        json.member("schema", text)
        json.list("types", types) { $0.write(to: &$1) }
    }
}
