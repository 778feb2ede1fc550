// Owns doing the commands about containers, schemas, roles and rules.
import Cloudlet
import Foundation

extension Interpreter {
    func answer(_ command: OperatorCommand) async throws -> Answer {
        switch command {
        case .createContainer(let name): return try await createContainer(name)
        case .useContainer(let name):
            return go(to: Session.Place(container: name, environment: session.place.environment))
        case .listContainers: return try await listContainers()
        case .useZone(let zone):
            session.zone = zone
            let facts = [Field("database", .text(session.database))]
            return Answer.talk("commands about records look at \(session.database)", facts: facts)
        case .useEnvironment(let environment):
            return go(to: Session.Place(container: session.place.container, environment: environment))
        case .describeSchema(let type): return try await describeSchema(type)
        case .deleteFromSchema(let type, let field):
            return Self.changes(try await schema("delete", OperatorBody(type: type, field: field)))
        case .grant(let grant):
            let body = OperatorBody(
                type: grant.type, permission: grant.permission, role: grant.role, remove: grant.isRemoved)
            return Self.changes(try await schema("grant", body))
        case .deploySchema: return Self.changes(try await schema("deploy", OperatorBody()))
        case .createRole(let role):
            return Self.changes(
                try await site.operate(
                    .post, "containers", session.place.container, "development", "roles", "create",
                    body: OperatorBody(role: role)))
        case .setMember(let role, let person, let isMember):
            return try await setMember(person, of: role, isMember)
        case .why(let permission, let target): return try await why(permission, target)
        }
    }

    // MARK: Containers

    private func createContainer(_ name: String) async throws -> Answer {
        let reply = try await site.operate(.post, "containers", body: OperatorBody(name: name))
        let warnings = reply.warnings ?? []
        let fields = [
            Field("container", .text(name)), Field("warnings", .texts(warnings)),
        ]
        return Answer(
            form: .record, entries: [Entry(fields)], facts: [Field("warned", .count(warnings.count))],
            notes: ["created \(name)"] + warnings.map { "warning: \($0)" }
        )
    }

    private func listContainers() async throws -> Answer {
        let names = try await site.operate(.get, "containers").containers?.map(\.name) ?? []
        var entries: [Entry] = []
        var users: Set<String> = []
        for name in names {
            let place = Session.Place(container: name, environment: session.place.environment)
            let user = try await userRecordName(in: place)
            users.formUnion([user].compactMap { $0 })
            entries.append(Entry([Field("container", .text(name)), Field("user", Value(user))]))
        }
        return Answer(
            form: .list, entries: entries,
            columns: [Column("CONTAINER", "container"), Column("USER", "user")],
            facts: [Field("identifiers", .count(users.count))],
            whenEmpty: "no containers yet; make one: container create iCloud.org.example.app"
        )
    }

    /// The record name of the present person in a container.
    func userRecordName(in place: Session.Place) async throws -> String? {
        guard let account = session.account?.session else { return nil }
        let container = site.container(in: place, account, device: session.device)
        return try await container.userRecordID().recordName
    }

    /// Goes on elsewhere; what devices hold of records is left behind.
    private func go(to place: Session.Place) -> Answer {
        if place != session.place {
            session.photoList = nil
            session.copies = HeldCopies()
            session.zoneCaches = [:]
            session.databaseTokens = [:]
        }
        session.place = place
        let facts = [
            Field("container", .text(place.container)),
            Field("environment", .text(place.environment.rawValue)),
        ]
        return Answer.talk("in \(place.environment) of \(place.container)", facts: facts)
    }

    // MARK: Schema and roles

    private func schema(_ verb: String, _ body: OperatorBody) async throws -> OperatorReply {
        try await site.operate(
            .post, "containers", session.place.container, "development", "schema", verb, body: body)
    }

    private static func changes(_ reply: OperatorReply) -> Answer {
        let lines = reply.differences?.map(\.text) ?? []
        return Answer(
            form: .list, entries: lines.map { Entry([Field("change", .text($0))]) },
            columns: [Column("CHANGE", "change")], facts: [Field("changes", .count(lines.count))],
            whenEmpty: "it was so before"
        )
    }

    private func setMember(_ person: String, of role: String, _ isMember: Bool) async throws -> Answer {
        let reply = try await site.operate(
            .post, "containers", session.place.container, session.place.environment.rawValue, "roles",
            isMember ? "grant" : "revoke", body: OperatorBody(role: role, person: person))
        let changed = reply.changed ?? false
        let done = isMember ? "\(person) is a member of \(role)" : "\(person) is no member of \(role)"
        return Answer.talk(changed ? done : done + ", as before", facts: [Field("changed", .flag(changed))])
    }

    // MARK: Rules

    private func why(_ permission: String, _ target: Word) async throws -> Answer {
        let rule = try await rule(permission, target)
        let fields = [
            Field("allowed", .flag(rule.allowed)),
            Field("by", Value(rule.granted.first(where: rule.held.contains))),
            Field("permission", .text(rule.permission)),
            Field("type", .text(rule.recordType)),
            Field("record", Value(rule.recordName)),
            Field("granted", .texts(rule.granted)),
            Field("held", .texts(rule.held)),
        ]
        return Answer(form: .record, entries: [Entry(fields)], notes: [rule.explanation])
    }

    /// A word names a party, else a record, else a type; creating is always about a type.
    private func rule(_ permission: String, _ target: Word) async throws -> RuleReply {
        let (place, token) = (session.place, session.account?.session.webAuthToken)
        func asked(type: String? = nil, record: String? = nil) async throws -> RuleReply {
            try await site.rule(permission, type: type, record: record, in: place, token: token)
        }
        if permission == "create" { return try await asked(type: target.text) }
        if case .found(let party)? = try? await parties.shelf.lookup(target.text) {
            return try await asked(record: party.id)
        }
        do {
            return try await asked(record: target.text)
        } catch let complaint as Complaint where complaint.code == "notFound" {
            return try await asked(type: target.text)
        }
    }
}
