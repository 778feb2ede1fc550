import CloudService
import Records
import RecordsWire

extension ListContainers: ServedCall {
    func answer(_ incoming: ServerRequest) async throws -> Answer {
        ListAnswer(try await incoming.service.containers.all())
    }
}

extension CreateContainer: ServedCall {
    func answer(_ incoming: ServerRequest) async throws -> Answer {
        try await incoming.service.containers.create(name)
    }
}

extension ReadContainer: ServedCall {
    func answer(_ incoming: ServerRequest) async throws -> Answer {
        let container = try await incoming.service.containers.container(name)
        let usage = try await incoming.service.containers.usage(of: container.name)
        return ContainerDetails(
            container: container, users: try await incoming.service.containers.userCount(of: container.name),
            development: ContainerDetails.Contents(usage.first { $0.environment == .development }),
            production: ContainerDetails.Contents(usage.first { $0.environment == .production }))
    }
}

extension ListCreators: ServedCall {
    func answer(_ incoming: ServerRequest) async throws -> Answer {
        let containers = incoming.service.containers
        let name = try await containers.container(container).name
        var creators = try await containers.creators(
            of: name, in: environment, after: place, limit: Self.pageSize)
        var names = SignInNames(incoming.service.people)
        for (index, creator) in creators.enumerated() where creator.kind == .person {
            creators[index].person = try await names.name(of: creator.userRecordName, in: name)
        }
        return ListAnswer(creators)
    }
}

extension SetContainerFallback: ServedCall {
    func answer(_ incoming: ServerRequest) async throws -> Answer {
        try await incoming.service.containers.setFallbackURL(fallbackURL, of: name)
    }
}

extension DeleteContainer: ServedCall {
    func answer(_ incoming: ServerRequest) async throws -> Answer {
        try await incoming.service.containers.delete(name)
        return DeletionAnswer(name: name)
    }
}

extension ContainerDetails.Contents {
    /// The contents of an environment; zeros for nil.
    fileprivate init(_ usage: ContainerUsage?) {
        self.init(
            privateDatabases: usage?.usage.privateDatabases ?? 0, bytes: usage?.usage.bytes ?? 0,
            publicRecordBytes: usage?.publicSpace.recordBytes ?? 0,
            publicRecordBytesLimit: usage?.publicSpace.recordLimit,
            publicAssetBytes: usage?.publicSpace.assetBytes ?? 0,
            publicAssetBytesLimit: usage?.publicSpace.assetLimit)
    }
}
