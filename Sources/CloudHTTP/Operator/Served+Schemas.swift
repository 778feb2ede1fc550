import CloudService
import Records
import RecordsWire

extension ReadSchema: ServedCall {
    func answer(_ incoming: ServerRequest) async throws -> Answer {
        let schemas = incoming.service.schemas
        let schema = try await schemas.schema(of: container, in: environment)
        return try await schemas.computing(for: container) {
            SchemaReport(schema, in: environment, withText: true)
        }
    }
}

extension ImportSchema: ServedCall {
    func answer(_ incoming: ServerRequest) async throws -> Answer {
        let schemas = incoming.service.schemas
        try input.environment.checkDevelopment()
        let source = try await schemas.computing(for: input.container) { try input.source() }
        let change = try await schemas.importSchema(source, into: input.container)
        return try await schemas.computing(for: input.container) { SchemaChange(change) }
    }
}

extension ValidateSchema: ServedCall {
    func answer(_ incoming: ServerRequest) async throws -> Answer {
        let schemas = incoming.service.schemas
        try input.environment.checkDevelopment()
        let source = try await schemas.computing(for: input.container) { try input.source() }
        let change = try await schemas.checkSchema(source, for: input.container)
        return try await schemas.computing(for: input.container) { SchemaChange(change) }
    }
}

extension CompareSchema: ServedCall {
    func answer(_ incoming: ServerRequest) async throws -> Answer {
        let schemas = incoming.service.schemas
        let old = try await schemas.schema(of: input.container, in: input.environment)
        return try await schemas.computing(for: input.container) {
            SchemaChange(SchemaComparison(old: old, new: try input.source().schema))
        }
    }
}

extension CheckSchema: ServedCall {
    func answer(_ incoming: ServerRequest) async throws -> Answer {
        let schemas = incoming.service.schemas
        let source = try await schemas.computing(for: input.container) { try input.source() }
        let gaps = try await schemas.gaps(in: source.schema, of: input.container, in: input.environment)
        return try await schemas.computing(for: input.container) {
            SchemaGapsReport(
                gaps: gaps.list.map { SchemaGapsReport.Item($0, command: $0.command(in: input.container)) },
                repaired: gaps.schema.text)
        }
    }
}

extension DeploySchema: ServedCall {
    func answer(_ incoming: ServerRequest) async throws -> Answer {
        try environment.checkDevelopment()
        let schemas = incoming.service.schemas
        let change = try await schemas.deploySchema(of: container, isTrial: isTrial) {
            try SchemaSource(text: Array($0.text.utf8))
        }
        return try await schemas.computing(for: container) { SchemaChange(change) }
    }
}

extension ResetSchema: ServedCall {
    func answer(_ incoming: ServerRequest) async throws -> Answer {
        try environment.checkDevelopment()
        return SchemaChange(try await incoming.service.schemas.resetSchema(of: container))
    }
}

extension SchemaChange {
    init(_ comparison: SchemaComparison) {
        self.init(comparison.differences.map { Item($0, text: comparison.text(of: $0)) })
    }
}

extension SchemaGap {
    /// The command that adds the missing part; nil if only an import of a schema can add it.
    fileprivate func command(in container: String) -> String? {
        guard let field, let index else { return nil }
        return "cloudlet schema index \(container) \(type) \(field) \(index)"
    }
}
