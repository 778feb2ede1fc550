import CloudService
import Records
import RecordsWire

extension SignInByName: ServedCall {
    func answer(_ incoming: ServerRequest) async throws -> Answer {
        try await incoming.service.people.signIn(name: name, container: container)
    }
}

extension DescribeAccount: ServedCall {
    func answer(_ incoming: ServerRequest) async throws -> Answer {
        let caller = try await incoming.caller(in: container, .development)
        let account = try await incoming.service.people.changeOwnAccount(of: caller, password: password) {
            account in
            if let email { account.email = email }
            if let phone { account.phone = phone }
            if let givenName { account.givenName = givenName }
            if let familyName { account.familyName = familyName }
        }
        return OwnAccount(
            name: account.name, email: account.email, phone: account.phone, givenName: account.givenName,
            familyName: account.familyName)
    }
}

extension SetRate: ServedCall {
    func answer(_ incoming: ServerRequest) async throws -> Answer {
        try incoming.service.rateLimiter.setPersonRate(rate)
        return RateAnswer(incoming.service.rateLimiter.personRate)
    }
}

extension RemoveZones: ServedCall {
    func answer(_ incoming: ServerRequest) async throws -> Answer {
        let caller = try await incoming.caller(in: container, environment)
        let reason: ZoneDeletionReason =
            switch reason {
            case .purged: .purged
            case .encryptedDataReset: .encryptedDataReset
            }
        return RemovedZones(try await incoming.service.zones.remove(zones, because: reason, by: caller))
    }
}

extension ExplainAccess: ServedCall {
    func answer(_ incoming: ServerRequest) async throws -> Answer {
        let caller = try await incoming.caller(in: container, environment)
        let verdict = try await incoming.service.access.explain(
            permission, type: recordType, recordName: recordName, by: caller)
        return AccessReport(
            isAllowed: verdict.isAllowed, permission: verdict.permission, recordType: verdict.type,
            recordName: verdict.culprit, granted: verdict.granted, held: verdict.held,
            explanation: verdict.explanation)
    }
}

extension ReadTypes: ServedCall {
    func answer(_ incoming: ServerRequest) async throws -> Answer {
        let schemas = incoming.service.schemas
        let schema = try await schemas.schema(of: container, in: environment)
        return try await schemas.computing(for: container) {
            SchemaReport(schema, in: environment, withText: false)
        }
    }
}

extension ReadStorage: ServedCall {
    func answer(_ incoming: ServerRequest) async throws -> Answer {
        let usage = try await incoming.service.containers.usage(of: container)
        var report = StorageReport(assetFiles: usage.map(\.usage.assetFiles).reduce(0, +))
        if incoming.credentials.webAuthToken != nil {
            let caller = try await incoming.caller(in: container, .development)
            let space = try await incoming.service.quotas.privateBytes(of: caller)
            report.privateBytes = space?.used
            report.privateBytesLimit = space?.limit
        }
        return report
    }
}

extension ReadPushTrace: ServedCall {
    func answer(_ incoming: ServerRequest) async throws -> Answer {
        ListAnswer(incoming.service.pushHub.trace(from: from))
    }
}
