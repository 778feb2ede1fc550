import Directory
import RecordStore
package import Records
import Synchronization

extension ContainerReport {
    init(_ entry: ContainerEntry) {
        self.init(
            name: entry.name, createdAt: entry.createdAt,
            warnings: (try? ContainerName(entry.name))?.warnings ?? [], fallbackURL: entry.fallbackURL)
    }
}

/// The disk usage of a container in one environment.
package struct ContainerUsage: Hashable, Sendable {
    package var environment: CloudEnvironment
    package var usage: DatabaseUsage
    /// The size of the public database, as counted against its quota.
    package var publicSpace = PublicSpace()
}

/// The size of a public database in bytes, and its limits.
package struct PublicSpace: Hashable, Sendable {
    package var recordBytes: Int64 = 0
    package var assetBytes: Int64 = 0
    /// Limits in bytes; nil if there is no limit.
    package var recordLimit: Int64?
    package var assetLimit: Int64?

    /// What each record counts besides its name and fields.
    package static let bytesPerRecord = StoreUsage.bytesPerRecord
}

/// Creates and deletes containers, and reports their disk usage.
package final class ContainerService: Sendable {
    let context: ServiceContext
    let databases: DatabaseService
    let containerRegistry: ContainerRegistry
    let schemaCache: SchemaCache
    let usageLog: SchemaUsageLog
    let quotas: QuotaService
    let devices: DeviceService
    let sessions: SessionService
    let credentials: CredentialService
    let telemetry: TelemetryService
    private let usages = RecentValues<ContainerKey, DatabaseUsage>()

    init(
        _ context: ServiceContext, databases: DatabaseService, containerRegistry: ContainerRegistry,
        schemaCache: SchemaCache, usageLog: SchemaUsageLog, quotas: QuotaService, devices: DeviceService,
        sessions: SessionService, credentials: CredentialService, telemetry: TelemetryService
    ) {
        self.context = context
        self.databases = databases
        self.containerRegistry = containerRegistry
        self.schemaCache = schemaCache
        self.usageLog = usageLog
        self.quotas = quotas
        self.devices = devices
        self.sessions = sessions
        self.credentials = credentials
        self.telemetry = telemetry
    }

    /// Creates a container. Throws `badRequest` for an invalid name, and `exists` for a name that is in use.
    package func create(_ name: String) async throws -> ContainerReport {
        _ = try ContainerName(name)
        try containerRegistry.checkNotBeingDeleted(name)
        let now = context.runtime.now()
        guard try await context.directory.addContainer(name, at: now) else {
            throw RecordError(
                .exists, "the container exists already", culprit: name,
                nextStep: "use it, or choose another name"
            )
        }
        context.provider.allow(DatabaseSelection(container: name))
        return ContainerReport(ContainerEntry(name: name, createdAt: now))
    }

    /// All containers, sorted by name.
    package func all() async throws -> [ContainerReport] {
        try await context.directory.containers().map(ContainerReport.init)
    }

    /// One container. Throws `badContainer` if it does not exist.
    package func container(_ name: String) async throws -> ContainerReport {
        try ContainerName.checkCharacters(of: name)
        guard let entry = try await context.directory.container(name) else {
            throw RecordError.noContainer(name)
        }
        return ContainerReport(entry)
    }

    /// Sets the URL of the app's web page, to which the pages of shares lead; nil: the server's.
    ///
    /// Throws `badRequest` for an invalid URL, and `badContainer` if the container does not exist.
    package func setFallbackURL(_ url: String?, of name: String) async throws -> ContainerReport {
        try ContainerName.checkCharacters(of: name)
        let url = try url.map { text throws(RecordError) in try CallbackRules.fallback(text) }
        guard try await context.directory.setFallbackURL(url, of: name) else {
            throw RecordError.noContainer(name)
        }
        return try await container(name)
    }

    /// The disk usage of a container in each environment.
    package func usage(of container: String) async throws -> [ContainerUsage] {
        var result: [ContainerUsage] = []
        for environment in CloudEnvironment.allCases {
            result.append(try await usage(of: container, in: environment))
        }
        return result
    }

    private func usage(
        of container: String, in environment: CloudEnvironment
    ) async throws -> ContainerUsage {
        try ContainerName.checkCharacters(of: container)
        return ContainerUsage(
            environment: environment,
            usage: try await context.provider.usage(of: container, in: environment),
            publicSpace: try await publicSpace(of: container, in: environment))
    }

    /// The disk usage of a container in one environment, counted at most a minute ago; nil while another
    /// request counts it for the first time.
    package func recentUsage(
        of container: String, in environment: CloudEnvironment
    ) async throws -> DatabaseUsage? {
        try ContainerName.checkCharacters(of: container)
        let place = ContainerKey(container: container, environment: environment)
        return try await usages.value(of: place, at: context.runtime.now()) {
            try await context.provider.usage(of: container, in: environment)
        }
    }

    /// The size of a container's public database, and its limits. A missing database is empty.
    package func publicSpace(
        of container: String, in environment: CloudEnvironment
    ) async throws -> PublicSpace {
        let key = DatabaseKey(container: container, environment: environment, owner: nil)
        return context.provider.exists(key) ? try await databases.using(key, space) : PublicSpace()
    }

    private func space(of database: OpenDatabase) async throws -> PublicSpace {
        let usage = try await database.records.usage()
        let quota = try await quotas.quota(for: database)
        return PublicSpace(
            recordBytes: usage.recordBytes, assetBytes: usage.assetBytes, recordLimit: quota?.recordBytes,
            assetLimit: quota?.assetBytes
        )
    }

    /// The bytes of the public records and files that each of these people has created.
    package func publicBytes(
        of people: [String], in container: String, _ environment: CloudEnvironment
    ) async throws -> [String: Int64] {
        let key = DatabaseKey(container: container, environment: environment, owner: nil)
        guard context.provider.exists(key) else { return [:] }
        return try await databases.using(key) { database in
            var bytes: [String: Int64] = [:]
            for person in people { bytes[person] = try await database.records.usage(of: person).total }
            return bytes
        }
    }

    /// What the records of these types and their indexes take up in a container's public database; nil if its
    /// store cannot tell. A type without records is left out.
    package func publicSpace(
        ofTypes names: [String], in container: String, _ environment: CloudEnvironment
    ) async throws -> [String: TypeSpace]? {
        let key = DatabaseKey(container: container, environment: environment, owner: nil)
        guard context.provider.exists(key) else { return [:] }
        return try await databases.using(key, delivers: false) { try await $0.records.space(ofTypes: names) }
    }

    /// The number of people who have used a container.
    package func userCount(of container: String) async throws -> Int64 {
        try await context.directory.userCount(of: container)
    }

    /// Deletes a container with all its data in both environments, and everything else the server stores
    /// about it.
    ///
    /// Waits for requests under way to end. Throws `badContainer` if the container does not exist. When the
    /// deletion fails, or the server ends meanwhile, the container still exists, perhaps without data, and
    /// can be deleted again.
    package func delete(_ name: String) async throws {
        try ContainerName.checkCharacters(of: name)
        guard try await context.directory.container(name) != nil else { throw RecordError.noContainer(name) }
        context.provider.makeRoomForDeletion()
        // The name can be used again only when nothing of this container is cached any more.
        try containerRegistry.beginDeletion(of: name)
        defer { containerRegistry.endDeletion(of: name) }
        let data = DatabaseSelection(container: name)
        try await context.provider.remove(data)
        var devices: [PushToken] = []
        for environment in CloudEnvironment.allCases {
            devices += try await context.directory.pushTokens(of: name, in: environment)
        }
        do {
            let directory = context.directory
            try await schemaCache.remove(name) { _ = try await directory.removeContainer(name) }
            // Until now, other nodes could create databases of the container.
            if context.provider.isNode { try await context.provider.remove(data) }
        } catch {
            context.provider.allow(data)
            throw error
        }
        sessions.clearCache()
        quotas.clearCache()
        credentials.clearCache()
        usageLog.forget(name)
        usages.forget { $0.container == name }
        await telemetry.forget(name)
        await self.devices.clearCache()
        await self.devices.forget(devices, because: "the container was deleted")
    }
}
