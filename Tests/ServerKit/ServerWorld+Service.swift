import CloudService
import Records

@testable import CloudletServer
@testable import TestKit

extension ServerWorld {
    /// The services behind the HTTP handlers.
    var service: CloudService { server.composition.service }

    /// Creates a container unless it exists.
    func createContainer(_ name: String = "iCloud.test") async throws {
        if try await service.containers.all().contains(where: { $0.name == name }) { return }
        _ = try await service.containers.create(name)
    }
}

extension PasswordCost {
    /// A cost for fast tests. It is too low for real passwords.
    static let quick = PasswordCost(logRounds: 4)
}
