import CloudService
import Records
import RecordsWire

extension ListTokens: ServedCall {
    func answer(_ incoming: ServerRequest) async throws -> Answer {
        ListAnswer(
            try await incoming.service.credentials.apiTokens(of: try await incoming.existing(container)))
    }
}

extension CreateToken: ServedCall {
    func answer(_ incoming: ServerRequest) async throws -> Answer {
        let (text, token) = try await incoming.service.credentials.addAPIToken(
            container: try await incoming.existing(container), environment: environment, label: label,
            allowedOrigins: allowedOrigins, callback: callback)
        return NewAPIToken(text: text, token: token)
    }
}

extension RevokeToken: ServedCall {
    func answer(_ incoming: ServerRequest) async throws -> Answer {
        try await incoming.service.credentials.revokeAPIToken(id: id)
        return IDAnswer(id: id)
    }
}

extension ListKeys: ServedCall {
    func answer(_ incoming: ServerRequest) async throws -> Answer {
        let keys = try await incoming.service.credentials.serverKeys(
            of: try await incoming.existing(container))
        return ListAnswer(keys.map(ServerKeyReport.init))
    }
}

extension RegisterKey: ServedCall {
    func answer(_ incoming: ServerRequest) async throws -> Answer {
        ServerKeyReport(
            try await incoming.service.credentials.addServerKey(
                container: try await incoming.existing(container), environment: environment, label: label,
                publicKey: publicKey))
    }
}

extension RevokeKey: ServedCall {
    func answer(_ incoming: ServerRequest) async throws -> Answer {
        try await incoming.service.credentials.revokeServerKey(id: id)
        return IDAnswer(id: id)
    }
}

extension ServerRequest {
    /// Returns the name of an existing container. Throws `badContainer` if there is none: these calls must
    /// not create one.
    fileprivate func existing(_ container: String) async throws -> String {
        try await service.containers.container(container).name
    }
}
