import CloudService
import CloudletServer
import Foundation
import Records
import RecordsWire
import Testing

@testable import ServerKit
@testable import TestKit

/// All pages of the console, each with the operators of `withEveryRole` who may open it.
enum ConsolePages {
    typealias Page = (path: String, roles: Set<String>)

    static let ofContainer: [Page] = {
        let all: Set<String> = ["viewer", "developer", "admin", "chief"]
        return [
            ("types", all), ("type?name=Party", all),
            ("indexes?type=Party&field=name", all), ("records?type=Party", all), ("record?name=p1", all),
            ("new?type=Party", ["developer", "admin", "chief"]),
            ("delete?name=p1", ["developer", "admin", "chief"]), ("roles", all), ("tokens", all),
            ("schema", all), ("deploy", all), ("usage", all), ("performance", all), ("audit", all),
            ("own", all), ("users", all), ("schema.ckdb", all), ("zones", all), ("subscriptions", all),
            ("shares", all),
            ("own-record", all), ("settings", all), ("logs", all), ("image?name=p1", all),
        ]
    }()

    /// Only the chief and the guard have a role for the whole server: admin and viewer.
    static let ofServer: [Page] = [
        ("containers", ["viewer", "developer", "admin", "chief", "guard", "foreigner"]),
        ("people", ["chief"]), ("person?name=ann", ["chief"]), ("operators", ["chief"]),
        ("audit", ["chief", "guard"]), ("limits", ["chief", "guard"]), ("logs", ["chief", "guard"]),
        ("maintenance", ["chief"]),
    ]

    /// The operators, whose password is `correct horse`. The first three have this role in `iCloud.test`, and
    /// the foreigner is an admin of another container.
    static let operators = ["viewer", "developer", "admin", "chief", "guard", "foreigner"]
}

/// A closed server with an operator of each role, who is signed in, a stranger, who is not, and a party.
func withEveryRole(
    _ transport: Transport = .loopback,
    _ more: @escaping @Sendable (inout ServerConfiguration) -> Void = { _ in },
    _ scenario: (ServerWorld, [String: ConsoleVisitor]) async throws -> Void
) async throws {
    try await withFolder { folder in
        try await withClosedConsole(transport) {
            $0.storage = .folder(folder.appendingPathComponent("data"))
            $0.backups = folder.appendingPathComponent("backups")
            // A browser keeps no secure cookies of an address without TLS.
            if transport == .socket { $0.publicURL = nil }
            more(&$0)
        } _: { world in
            try await scenario(world, try await world.addEveryRole())
        }
    }
}

extension ServerWorld {
    fileprivate func addEveryRole() async throws -> [String: ConsoleVisitor] {
        try await createContainer()
        try await createContainer("iCloud.other")
        _ = try await service.people.add(Account("ann"), password: "correct horse")
        try await importSchema(schemaText("name STRING QUERYABLE", "cost INT64", roles: ["PartyAdmin"]))
        // Ann has used the container.
        _ = try await service.access.setRole(
            "PartyAdmin", of: "ann", isMember: true, in: "iCloud.test", .development)
        for role in OperatorRole.allCases {
            try await add(operator: role.rawValue, role, in: "iCloud.test")
        }
        try await add(operator: "chief", .admin)
        try await add(operator: "guard", .viewer)
        try await add(operator: "foreigner", .admin, in: "iCloud.other")
        var visitors: [String: ConsoleVisitor] = ["stranger": ConsoleVisitor(self)]
        for name in ConsolePages.operators { visitors[name] = try await ConsoleVisitor.signedIn(name, self) }
        let developer = try #require(visitors["developer"])
        let made = try await developer.post(
            Self.place + "/new?type=Party",
            ["action": "create", "name": "p1", "value.name": "Ball", "value.cost": "3"])
        try #require(made.status == 303, "\(made.text)")
        return visitors
    }
}

extension ServerWorld {
    /// Adds the record `picture`, which has an image and a place.
    func addPicture(as developer: ConsoleVisitor) async throws {
        try await importSchema(
            schemaText(
                "\"___recordID\" REFERENCE QUERYABLE", "name STRING QUERYABLE", "cost INT64", "photo ASSET",
                "place LOCATION QUERYABLE", roles: ["PartyAdmin"]))
        _ = try await developer.get(Self.place + "/new?type=Party")
        let made = try await developer.post(
            Self.place + "/new?type=Party",
            ["action": "create", "name": "picture", "value.place": "37.33, -122.03"],
            file: ("file.photo", ConsoleVisitor.image))
        try #require(made.status == 303, "\(made.text)")
    }

    /// Signs a person in to a closed server by the password `correct horse`. Adds a missing person. Calls of
    /// the person need the returned parameters, which have the token of an app.
    func signInByPassword(_ name: String) async throws -> (person: Person, parameters: String) {
        if try await !service.people.all().contains(where: { $0.name == name }) {
            _ = try await service.people.add(Account(name), password: "correct horse")
        }
        let attempt = SignInAttempt(name: name, password: "correct horse", staysSignedIn: true, address: nil)
        let signIn = try await service.people.signIn(
            attempt, container: "iCloud.test", environment: .development)
        let person = Person(
            name: name, token: signIn.webAuthToken, recordName: try #require(signIn.userRecordName))
        return (person, "ckAPIToken=\(try await app())")
    }
}
