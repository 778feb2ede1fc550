import CloudService
import Records
import RecordsWire

extension SetIndex: ServedCall {
    func answer(_ incoming: ServerRequest) async throws -> Answer {
        try environment.checkDevelopment()
        return SchemaChange(
            try await incoming.service.schemas.setIndex(
                index, on: field, of: type, in: container, isThere: isThere))
    }
}

extension SetGrant: ServedCall {
    func answer(_ incoming: ServerRequest) async throws -> Answer {
        try environment.checkDevelopment()
        return SchemaChange(
            try await incoming.service.schemas.setGrant(
                permission, on: type, to: role, in: container, isThere: isThere)
        )
    }
}

extension CountPart: ServedCall {
    func answer(_ incoming: ServerRequest) async throws -> Answer {
        try input.environment.checkDevelopment()
        return RecordCount(records: try await incoming.service.schemas.count(input.part, of: input.container))
    }
}

extension DeletePart: ServedCall {
    func answer(_ incoming: ServerRequest) async throws -> Answer {
        try input.environment.checkDevelopment()
        return SchemaChange(
            try await incoming.service.schemas.deleteFromSchema(input.part, of: input.container))
    }
}
