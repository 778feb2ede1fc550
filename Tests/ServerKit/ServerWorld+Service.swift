import CloudService
import Records

@testable import CloudletServer
@testable import TestKit

extension ServerWorld {
    /// What decides behind the door.
    var service: CloudService { server.composition.service }

    /// Makes a container unless it is there.
    func createContainer(_ name: String = "iCloud.test") async throws {
        if try await service.containers.all().contains(where: { $0.name == name }) { return }
        _ = try await service.containers.create(name)
    }
}

extension PasswordCost {
    /// Too little work to keep a secret, and enough to show that the work is done.
    static let quick = PasswordCost(logRounds: 4)
}
