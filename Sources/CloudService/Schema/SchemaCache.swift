import Directory
import RecordStore
import Records
import Synchronization

/// Caches the schemas and role members of each container and environment. Changes of one container's schemas
/// are serialized; those of different containers do not wait for each other.
///
/// It is a class with a lock, not an actor: an actor's code may run on the threads of a slow read, which have
/// a low priority, and each request to a public database would wait for them, since it reads the schema.
final class SchemaCache: Sendable {
    /// The cached data of a container. The entry stays when the container is removed, with its counters but
    /// without schemas and members, so that data that was read before the removal is not cached after it.
    private struct Entry {
        var schemas: [CloudEnvironment: Schema] = [:]
        /// Number of schema changes. A schema that was read before a change may be out of date.
        var generation = 0
        /// The roles of each member, by user record name.
        var members: [CloudEnvironment: [String: Set<String>]] = [:]
        /// Number of changes of members. Members that were read before a change may be out of date.
        var memberChanges = 0
        /// Whether a schema change is in progress. The next one waits, so that it sees the result.
        var isChanging = false
        var waiting: [CheckedContinuation<Void, Never>] = []

        /// Stores the schema after a change that began in the generation `begun`. The schema must be read
        /// again if it is nil, or if the generation has changed, as after a change by another node.
        mutating func setSchema(_ schema: Schema?, in environment: CloudEnvironment, _ begun: Int) {
            schemas[environment] = generation == begun ? schema : nil
            generation += 1
        }

        mutating func forget() {
            (schemas, members) = ([:], [:])
            memberChanges += 1
            generation += 1
        }

        mutating func forgetMembers(in environment: CloudEnvironment) {
            members[environment] = nil
            memberChanges += 1
        }
    }

    private let directory: any SchemaDirectory
    private let entries = Mutex<[String: Entry]>([:])

    init(directory: any SchemaDirectory) {
        self.directory = directory
    }

    /// The present schema.
    func schema(of place: ContainerKey) async throws -> Schema {
        while true {
            let (known, before) = entries.withLock { entries in
                let entry = entries[place.container]
                return (entry?.schemas[place.environment], entry?.generation ?? 0)
            }
            if let known { return known }
            let read = try await directory.schema(of: place.container, in: place.environment).complete
            let isPresent = change(place.container) { entry in
                // Otherwise the schema was changed, or the container removed, while it was read.
                if entry.generation == before { entry.schemas[place.environment] = read }
                return entry.generation == before
            }
            if isPresent { return read }
        }
    }

    /// Changes the cached data of a container under the lock.
    private func change<Result: Sendable>(_ container: String, _ work: (inout Entry) -> Result) -> Result {
        entries.withLock { work(&$0[container, default: Entry()]) }
    }

    /// Runs the removal of a container and then drops it from the cache. Its schemas are not changed
    /// meanwhile.
    func remove(_ container: String, by removal: @Sendable () async throws -> Void) async throws {
        await begin(container)
        defer { end(container) }
        try await removal()
        forget(container)
    }

    /// Drops a container from the cache, after another node of the server has changed its schemas or members,
    /// or has removed it.
    func forget(_ container: String) { change(container) { $0.forget() } }

    /// Empties the cache.
    func forget() {
        entries.withLock { entries in
            for container in entries.keys { entries[container]?.forget() }
        }
    }

    /// Adds the types and fields of a growth to the present schema, which other saves may have extended
    /// meanwhile.
    ///
    /// Throws `tryAgainLater` when two simultaneous saves gave one new field different types; the first of
    /// them decides. Throws `limitExceeded` when they add too much together.
    func add(_ growth: SchemaGrowth, to place: ContainerKey) async throws -> Schema {
        await begin(place.container)
        defer { end(place.container) }
        while true {
            let (old, generation) = (try await schema(of: place), generation(of: place.container))
            var schema = old
            var changed: [TypeSchema] = []
            for name in growth.grown.sorted() {
                guard let grown = growth.schema.types[name] else { continue }
                let type = try Self.joined(grown, with: schema.types[name])
                if type == schema.types[name] { continue }
                schema.types[name] = type
                changed.append(type)
            }
            if changed.isEmpty { return schema }
            try SchemaRules.checkSize(of: schema, after: old, growth.limits)
            let isSaved = try await directory.save(
                changed, of: place.container, in: place.environment, ifStill: old)
            let grown = schema
            change(place.container) { $0.setSchema(isSaved ? grown : nil, in: place.environment, generation) }
            if isSaved { return schema }
        }
    }

    private func generation(of container: String) -> Int {
        entries.withLock { $0[container]?.generation ?? 0 }
    }

    /// Replaces a schema by the result of `work`, which is called again if another node of the server has
    /// changed the schema meanwhile. No other change of the container's schemas runs meanwhile.
    ///
    /// - Returns: the schema before and after.
    func replace(
        _ place: ContainerKey, _ work: @Sendable (Schema) async throws -> Schema
    ) async throws -> (old: Schema, new: Schema) {
        await begin(place.container)
        defer { end(place.container) }
        while true {
            let (old, generation) = (try await schema(of: place), generation(of: place.container))
            let new = try await work(old)
            if new == old { return (old, new) }
            let isReplaced = try await directory.replaceSchema(
                of: place.container, in: place.environment, with: new, ifStill: old)
            change(place.container) { entry in
                entry.setSchema(isReplaced ? new : nil, in: place.environment, generation)
                entry.forgetMembers(in: place.environment)
            }
            if isReplaced { return (old, new) }
        }
    }

    private static func joined(
        _ grown: TypeSchema, with known: TypeSchema?
    ) throws(RecordError) -> TypeSchema {
        var type = known ?? TypeSchema(name: grown.name)
        for (fieldName, field) in grown.fields {
            if let known = type.fields[fieldName], known.isUnsettled {
                type.fields[fieldName] = field
                continue
            }
            if let known = type.fields[fieldName], known.type != field.type {
                throw RecordError(
                    .tryAgainLater,
                    "the type of field '\(fieldName)' was settled by another save just now",
                    culprit: fieldName,
                    nextStep: "try again; if it is refused, send \(known.type.name)", retryAfter: 1
                )
            }
            type.fields[fieldName] = type.fields[fieldName] ?? field
        }
        return type
    }

    // MARK: Access

    /// The access rules for a person, given by user record name; nil for anonymous callers.
    func access(of user: String?, in place: ContainerKey) async throws -> AccessRules {
        let schema = try await schema(of: place)
        guard let user, !schema.roles.isEmpty else {
            return AccessRules(userRecordName: user, schema: schema)
        }
        let members = try await members(of: place)
        return AccessRules(userRecordName: user, memberships: members[user] ?? [], schema: schema)
    }

    /// The access rules for a caller. A server-to-server key administers the public database.
    func access(for caller: Caller) async throws -> AccessRules {
        var rules = try await access(of: caller.userRecordName, in: ContainerKey(caller))
        if case .serverKey = caller.identity { rules.isAdministrator = true }
        return rules
    }

    /// A function that returns whether a person may read a public record.
    func audience(in place: ContainerKey) async throws -> @Sendable (String, StoredRecord) -> Bool {
        let schema = try await schema(of: place)
        let members = schema.roles.isEmpty ? [:] : try await members(of: place)
        return { person, record in
            AccessRules(userRecordName: person, memberships: members[person] ?? [], schema: schema)
                .refusal(toShow: record) == nil
        }
    }

    /// A function that takes a person, a record type and a creator, and returns whether the person may write
    /// public records of that type and creator.
    ///
    /// - Parameter administrators: the record names of server-to-server keys, which may write all records.
    func ownership(
        in place: ContainerKey, administrators: Set<String>
    ) async throws -> @Sendable (String, String, String) -> Bool {
        let schema = try await schema(of: place)
        let members = schema.roles.isEmpty ? [:] : try await members(of: place)
        return { person, type, creator in
            var rules = AccessRules(
                userRecordName: person, memberships: members[person] ?? [], schema: schema)
            rules.isAdministrator = administrators.contains(person)
            return rules.verdict(.write, on: type, createdBy: creator).isAllowed
        }
    }

    func members(of place: ContainerKey) async throws -> [String: Set<String>] {
        let (known, changes) = entries.withLock { entries in
            let entry = entries[place.container]
            return (entry?.members[place.environment], entry?.memberChanges ?? 0)
        }
        if let known { return known }
        var read: [String: Set<String>] = [:]
        for member in try await directory.roleMembers(of: place.container, in: place.environment) {
            read[member.userRecordName, default: []].insert(member.role)
        }
        let found = read
        change(place.container) { entry in
            if entry.memberChanges == changes { entry.members[place.environment] = found }
        }
        return read
    }

    /// Adds a member to a role, or removes the member. Returns false when nothing changed.
    func setMember(_ member: RoleMember, _ isMember: Bool, in place: ContainerKey) async throws -> Bool {
        defer { change(place.container) { $0.forgetMembers(in: place.environment) } }
        return isMember
            ? try await directory.addRoleMember(member, of: place.container, in: place.environment)
            : try await directory.removeRoleMember(member, of: place.container, in: place.environment)
    }

    /// Waits until no other change of the container's schemas is in progress, and begins one. Each call
    /// needs a call of `end`.
    private func begin(_ container: String) async {
        await withCheckedContinuation { turn in
            let isFree = change(container) { entry in
                if entry.isChanging {
                    entry.waiting.append(turn)
                    return false
                }
                entry.isChanging = true
                return true
            }
            if isFree { turn.resume() }
        }
    }

    /// Ends a change, and begins the next waiting one, if there is one.
    private func end(_ container: String) {
        let next = change(container) { entry -> CheckedContinuation<Void, Never>? in
            if !entry.waiting.isEmpty { return entry.waiting.removeFirst() }
            entry.isChanging = false
            return nil
        }
        next?.resume()
    }
}
