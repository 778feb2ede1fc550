import Directory
import RecordStore
package import Records
import Synchronization

extension ContainerReport {
    init(_ entry: ContainerEntry) {
        self.init(
            name: entry.name, createdAt: entry.createdAt,
            warnings: (try? ContainerName(entry.name))?.warnings ?? [])
    }
}

/// What a container holds in one environment.
package struct ContainerUsage: Hashable, Sendable {
    package var environment: CloudEnvironment
    package var usage: DatabaseUsage
    /// What counts against the quota of the public database.
    package var publicSpace = PublicSpace()
}

/// What the records of a public database take up, and may.
package struct PublicSpace: Hashable, Sendable {
    package var recordBytes: Int64 = 0
    package var assetBytes: Int64 = 0
    /// nil: any amount.
    package var recordLimit: Int64?
    package var assetLimit: Int64?
}

extension CloudService {
    /// Makes a container. Throws `badRequest` for a name that cannot be, `exists` for one that is taken.
    package func createContainer(_ name: String) async throws -> ContainerReport {
        _ = try ContainerName(name)
        try knownContainers.withLock { known throws(RecordError) in try known.checkStays(name) }
        let now = seams.now()
        guard try await directory.addContainer(name, at: now) else {
            throw RecordError(
                .exists, "the container exists already", culprit: name,
                nextStep: "use it, or choose another name"
            )
        }
        databases.allow(DatabaseSelection(container: name))
        return ContainerReport(ContainerEntry(name: name, createdAt: now))
    }

    /// All containers, by name.
    package func containers() async throws -> [ContainerReport] {
        try await directory.containers().map(ContainerReport.init)
    }

    /// One container. Throws `badContainer` when there is none of that name.
    package func container(_ name: String) async throws -> ContainerReport {
        try ContainerName.checkCharacters(of: name)
        guard let entry = try await directory.container(name) else { throw RecordError.noContainer(name) }
        return ContainerReport(entry)
    }

    /// What a container holds, by environment.
    package func usage(of container: String) async throws -> [ContainerUsage] {
        try ContainerName.checkCharacters(of: container)
        var result: [ContainerUsage] = []
        for environment in CloudEnvironment.allCases {
            var usage = ContainerUsage(
                environment: environment, usage: try await databases.usage(of: container, in: environment))
            let key = DatabaseKey(container: container, environment: environment, owner: nil)
            if databases.exists(key) { usage.publicSpace = try await using(key, space) }
            result.append(usage)
        }
        return result
    }

    private func space(of database: OpenDatabase) async throws -> PublicSpace {
        let usage = try await database.records.usage()
        let quota = try await quota(for: database)
        return PublicSpace(
            recordBytes: usage.recordBytes, assetBytes: usage.assetBytes, recordLimit: quota?.recordBytes,
            assetLimit: quota?.assetBytes
        )
    }

    /// How many people have used a container.
    package func userCount(of container: String) async throws -> Int64 {
        try await directory.userCount(of: container)
    }

    /// Deletes a container with all its data, in both environments, and everything the server knows about it.
    ///
    /// Requests under way end first. Throws `badContainer` when there is none of that name. When it fails, or
    /// the server ends meanwhile, the container is still there, perhaps empty, and can be deleted again.
    package func deleteContainer(_ name: String) async throws {
        try ContainerName.checkCharacters(of: name)
        guard try await directory.container(name) != nil else { throw RecordError.noContainer(name) }
        // A successor of that name comes when all that is remembered of this one is forgotten, not before.
        try knownContainers.withLock { known throws(RecordError) in try known.beginDeletion(of: name) }
        defer { knownContainers.withLock { $0.endDeletion(of: name) } }
        let data = DatabaseSelection(container: name)
        try await databases.remove(data)
        var devices: [PushToken] = []
        for environment in CloudEnvironment.allCases {
            devices += try await directory.pushTokens(of: name, in: environment)
        }
        do {
            let directory = directory
            try await schemas.remove(name) { _ = try await directory.removeContainer(name) }
        } catch {
            databases.allow(data)
            throw error
        }
        sessions.withLock { $0.forget() }
        quotas.withLock { $0.forget() }
        credentials.withLock { $0.forget() }
        usage.withLock { usage in usage = usage.filter { $0.key.container != name } }
        await registry.forget()
        await forget(devices, because: "the container was deleted")
    }

    /// Throws `badContainer` unless the container is there.
    func checkExists(_ name: String) async throws {
        try ContainerName.checkCharacters(of: name)
        if try knownContainers.withLock({ known throws(RecordError) in try known.contains(name) }) { return }
        guard try await directory.container(name) != nil else { throw RecordError.noContainer(name) }
    }

    /// Lets a request into a container. In development that may be one which is not there yet: it is empty
    /// for readers. Throws `badContainer` for an unknown one elsewhere.
    func enter(_ name: String) async throws { _ = try await isThere(name) }

    /// Makes sure of a container that something is written to, or somebody signs in to. In development, one
    /// that is new comes into being with that.
    ///
    /// Throws `badContainer` for an unknown one elsewhere, and `limitExceeded` when there are too many.
    func settle(_ name: String) async throws {
        try ContainerName.checkCharacters(of: name)
        if try knownContainers.withLock({ known throws(RecordError) in try known.contains(name) }) { return }
        if try await isThere(name) { return }
        let deletions = knownContainers.withLock { $0.deletions }
        // Anybody may use any name on an open server, and each costs a row and files.
        if try await directory.containers().count >= limits.openServerContainers {
            throw RecordError(
                .limitExceeded,
                "an open server makes no more than \(limits.openServerContainers) containers by itself",
                culprit: name, nextStep: "delete one, or make it with: cloudlet container create \(name)"
            )
        }
        try knownContainers.withLock { known throws(RecordError) in try known.checkStays(name) }
        _ = try await directory.addContainer(name, at: seams.now())
        databases.allow(DatabaseSelection(container: name))
        knownContainers.withLock { $0.saw(name, after: deletions) }
    }

    /// Whether the container is there; false only where it may come into being by itself. Throws
    /// `badContainer` for an unknown one elsewhere.
    private func isThere(_ name: String) async throws -> Bool {
        try ContainerName.checkCharacters(of: name)
        let (isKnown, deletions) = try knownContainers.withLock { known throws(RecordError) in
            (try known.contains(name), known.deletions)
        }
        if isKnown { return true }
        if try await directory.container(name) == nil {
            _ = try ContainerName(name)
            guard isOpen else { throw RecordError.noContainer(name) }
            return false
        }
        knownContainers.withLock { $0.saw(name, after: deletions) }
        return true
    }
}

extension RecordError {
    /// The error for a container that the server does not have.
    static func noContainer(_ name: String) -> RecordError {
        RecordError(
            .badContainer, "the container is not known", culprit: name,
            nextStep: "check its name; the operator makes it with: cloudlet container create \(name)"
        )
    }
}
