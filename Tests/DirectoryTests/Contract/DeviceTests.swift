import Directory
import Records
import Testing

@Suite("Directory contract: devices and badges")
struct DeviceTests {
    @Test(
        """
        A device is kept under its token in one container and environment; a second registration replaces it
        """, arguments: DirectoryKind.allCases)
    func replaced(kind: DirectoryKind) async throws {
        try await withDirectory(kind) { directory in
            try await directory.addDevice("x", of: "anna", created: 1)
            let other = try await directory.addDevice("x", of: "anna", .production, created: 1)
            let last = PushToken(
                text: "x", service: .development, container: "c", environment: .development, user: "_bert-c",
                client: nil, created: time(2))
            #expect(try await directory.add(last))
            #expect(try await directory.pushTokens(of: "c", in: .development) == [last])
            #expect(try await directory.pushTokens(of: "c", in: .production) == [other])
        }
    }

    @Test("A device whose session has ended is not registered", arguments: DirectoryKind.allCases)
    func ended(kind: DirectoryKind) async throws {
        try await withDirectory(kind) { directory in
            let anna = try await directory.addUser("anna")
            try await directory.signIn(1, anna)
            var device = try await directory.addDevice("x", of: "anna", session: 1)
            #expect(try await directory.pushTokens("x") == [device])
            _ = try await directory.removeSession(hash: [1])
            #expect(try await directory.add(device) == false)
            #expect(try await directory.pushTokens("x") == [])
            device.session = nil
            #expect(try await directory.add(device))
        }
    }

    @Test(
        "The devices of a container in one environment are listed oldest first",
        arguments: DirectoryKind.allCases)
    func list(kind: DirectoryKind) async throws {
        try await withDirectory(kind) { directory in
            for (text, created) in [("b", 2), ("a", 2), ("c", 1)] as [(String, Int64)] {
                try await directory.addDevice(text, of: "anna", created: created)
            }
            try await directory.addDevice("d", of: "anna", in: "d")
            #expect(
                try await directory.pushTokens(of: "c", in: .development).map(\.text) == ["c", "a", "b"])
            #expect(try await directory.pushTokens(of: "c", in: .production) == [])
        }
    }

    @Test(
        "Looking up a device by its token alone returns its registrations in all containers, oldest first",
        arguments: DirectoryKind.allCases)
    func alone(kind: DirectoryKind) async throws {
        try await withDirectory(kind) { directory in
            let third = try await directory.addDevice("x", of: "anna", created: 2)
            let oldest = try await directory.addDevice("x", of: "anna", in: "d", created: 1)
            let second = try await directory.addDevice("x", of: "anna", in: "d", .production, created: 1)
            #expect(try await directory.pushTokens("x") == [oldest, second, third])
            #expect(try await directory.pushTokens("y") == [])
        }
    }

    @Test("A device is removed from one container and environment", arguments: DirectoryKind.allCases)
    func remove(kind: DirectoryKind) async throws {
        try await withDirectory(kind) { directory in
            try await directory.addDevice("x", of: "anna")
            let production = try await directory.addDevice("x", of: "anna", .production)
            let other = try await directory.addDevice("x", of: "anna", in: "d")
            for _ in 0..<2 {
                try await directory.removePushToken("x", of: "c", in: .development)
                #expect(try await directory.pushTokens(of: "c", in: .development) == [])
                #expect(try await directory.pushTokens(of: "c", in: .production) == [production])
                #expect(try await directory.pushTokens(of: "d", in: .development) == [other])
            }
        }
    }

    // MARK: Badges

    @Test(
        "A badge counts up and down between 0 and the limit, whatever number was set",
        arguments: DirectoryKind.allCases)
    func badges(kind: DirectoryKind) async throws {
        try await withDirectory(kind) { directory in
            for (user, value) in [("_max", Int.max), ("_low", -5), ("_nine", 9), ("_min", .min)] {
                try await directory.setBadge(value, of: user, in: "c", .development)
            }
            let changes = [
                "_max": 1, "_low": 1, "_nine": -1, "_min": -1, "_new": 11, "_one": 1, "_none": Int.min,
            ]
            let values = try await directory.changeBadges(changes, of: "c", in: .development, atMost: 10)
            #expect(
                values == [
                    "_max": 10, "_low": 1, "_nine": 8, "_min": 0, "_new": 10, "_one": 1, "_none": 0,
                ])
            #expect(try await directory.changeBadges([:], of: "c", in: .development, atMost: 10) == [:])
        }
    }

    @Test("A person has a badge in each container and environment", arguments: DirectoryKind.allCases)
    func places(kind: DirectoryKind) async throws {
        try await withDirectory(kind) { directory in
            let places: [(String, CloudEnvironment)] = [
                ("c", .development), ("c", .production), ("d", .development),
            ]
            for (value, place) in places.enumerated() {
                try await directory.setBadge(value, of: "_anna", in: place.0, place.1)
            }
            for (value, place) in places.enumerated() {
                let shown = try await directory.changeBadges(
                    ["_anna": 1], of: place.0, in: place.1, atMost: 9)
                #expect(shown == ["_anna": value + 1])
            }
        }
    }
}
