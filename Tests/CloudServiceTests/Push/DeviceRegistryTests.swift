import Directory
import Records
import Synchronization
import Testing

@testable import CloudService

@Suite("Devices that other nodes register")
struct DeviceRegistryTests {
    private static let place = ContainerKey(container: "iCloud.test", environment: .development)

    @Test("A device that another node has registered in a second container is read alone")
    func alone() async throws {
        let directory = ListedDevices()
        let here = DeviceRegistry(directory: directory)
        _ = try await directory.add(device("x", in: "iCloud.other", created: 1))
        _ = try await directory.add(device("y"))
        #expect(try await names(here) == ["y"])
        _ = try await directory.add(device("x", created: 2))
        try await here.refresh("x", in: Self.place)
        #expect(try await names(here) == ["y", "x"])
        try await directory.removePushToken("x", of: "iCloud.test", in: .development)
        try await here.refresh("x", in: Self.place)
        #expect(try await names(here) == ["y"])
        #expect(directory.lists == 1)
    }

    @Test("All devices are read once, and those that other nodes tell of meanwhile are read again alone")
    func meanwhile() async throws {
        let directory = ListedDevices()
        let here = DeviceRegistry(directory: directory)
        for name in ["a", "b", "c"] { _ = try await directory.add(device(name)) }
        directory.afterReading {
            // The list was read before another node registered one device and removed another.
            _ = try await directory.add(device("d"))
            try await directory.removePushToken("b", of: "iCloud.test", in: .development)
            for name in ["d", "b"] { try await here.refresh(name, in: Self.place) }
            // A device of another container is told of, too.
            try await here.refresh("e", in: ContainerKey(container: "iCloud.other", environment: .production))
        }
        async let second = names(here)
        #expect(try await names(here).sorted() == ["a", "c", "d"])
        #expect(try await second.sorted() == ["a", "c", "d"])
        #expect(directory.lists == 1)
    }

    @Test("A reading that fails is tried again by those who waited for it")
    func failed() async throws {
        let directory = ListedDevices()
        let here = DeviceRegistry(directory: directory)
        _ = try await directory.add(device("a"))
        directory.afterReading { throw RecordError.fullDisk }
        async let second = try? await names(here)
        let first = try? await names(here)
        // The one that read first has failed; the other has found the device, if it waited or came later.
        let found = [first, await second].compactMap(\.self)
        #expect(found == [["a"]])
    }

    private func names(_ registry: DeviceRegistry) async throws -> [String] {
        try await registry.devices(of: "_bob", in: Self.place.container, Self.place.environment).map(\.text)
    }

    private func device(
        _ text: String, in container: String = "iCloud.test", created: Int64 = 0
    ) -> PushToken {
        PushToken(
            text: text, service: .development, container: container, environment: .development,
            user: "_bob", client: nil, created: Timestamp(milliseconds: created))
    }
}

/// A directory that counts how often all devices of a container are read, and can run code between the first
/// such read and its answer.
private final class ListedDevices: PushDirectory {
    private let base = MemoryDirectory()
    private struct State {
        var lists = 0
        var work: (@Sendable () async throws -> Void)?
    }

    private let state = Mutex(State())

    /// How often all devices of a container were read.
    var lists: Int { state.withLock { $0.lists } }

    func afterReading(_ work: @escaping @Sendable () async throws -> Void) {
        state.withLock { $0.work = work }
    }

    func add(_ token: PushToken) async throws -> Bool { try await base.add(token) }

    func pushTokens(of container: String, in environment: CloudEnvironment) async throws -> [PushToken] {
        let seen = try await base.pushTokens(of: container, in: environment)
        let work = state.withLock { state in
            state.lists += 1
            defer { state.work = nil }
            return state.work
        }
        try await work?()
        return seen
    }

    func pushTokens(_ text: String) async throws -> [PushToken] { try await base.pushTokens(text) }

    func removePushToken(
        _ text: String, of container: String, in environment: CloudEnvironment
    ) async throws {
        try await base.removePushToken(text, of: container, in: environment)
    }

    func changeBadges(
        _ changes: [String: Int], of container: String, in environment: CloudEnvironment, atMost limit: Int
    ) async throws -> [String: Int] {
        try await base.changeBadges(changes, of: container, in: environment, atMost: limit)
    }

    func setBadge(
        _ value: Int, of user: String, in container: String, _ environment: CloudEnvironment
    ) async throws {
        try await base.setBadge(value, of: user, in: container, environment)
    }
}
