// Owns doing the command that saves many records, and shows what that costs.
import Cloudlet
import Foundation

extension Interpreter {
    func saveBatch(_ count: Int, isOneByOne: Bool) async throws -> Answer {
        let ids = (0..<count).map { _ in identifiers.next("confetti") }
        let confetti = ConfettiRepository(database: container.publicCloudDatabase)
        let before = requests.count
        if isOneByOne {
            try await confetti.scatterOneByOne(ids)
            return Answer.oneByOne(count, requests: requests.count - before)
        }
        let tree = try await confetti.scatter(ids)
        return Answer.batch(tree, requests: requests.count - before)
    }
}
