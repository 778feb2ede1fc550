import Crypto
import Testing

@testable import AssetStore

@Suite("Asset claims")
struct AssetClaimsTests {
    @Test("In 20,000 interleavings no owned file is deleted, no task waits forever, and no file is left over")
    func interleavings() throws {
        for seed in 0..<20_000 {
            var world = ClaimsWorld(people: 3)
            let isSound = world.run(seed)
            try #require(isSound, "seed \(seed): a record owns a file that was deleted")
            try #require(world.isFinished, "seed \(seed): a task waits forever, or a file is left over")
        }
    }
}

/// Three people who each upload the same content, save a record, delete it and collect, one step at a time.
private struct ClaimsWorld: InterleavedWorld {
    enum Step {
        case pin
        case waitForDeletion
        case waiting
        case link
        case save
        case unpin
        case deleteRecord
        case begin
        case ask
        case decide(isUsed: Bool)
        case deleteFile
        case endDeleting
        case done
    }

    private var steps: [Step]
    private var claims = ContentClaims<Int>()
    private var owners = 0
    private var fileExists = false
    private let content = AssetChecksum(SHA256.hash(data: [1, 2, 3]))

    init(people: Int) {
        steps = Array(repeating: .pin, count: people)
    }

    var runnable: [Int] {
        steps.indices.filter { person in
            switch steps[person] {
            case .waiting, .done: false
            default: true
            }
        }
    }

    var isSound: Bool { owners == 0 || fileExists }

    var isFinished: Bool {
        let isEveryoneDone = steps.allSatisfy { if case .done = $0 { true } else { false } }
        return isEveryoneDone && !fileExists && claims.isQuiet
    }

    mutating func step(_ person: Int) {
        switch steps[person] {
        case .pin:
            claims.pin(content)
            steps[person] = .waitForDeletion
        case .waitForDeletion:
            steps[person] = claims.wait(for: content, person) ? .link : .waiting
        case .link:
            fileExists = true
            steps[person] = .save
        case .save:
            owners += 1
            steps[person] = .unpin
        case .unpin:
            claims.unpin(content)
            steps[person] = .deleteRecord
        case .deleteRecord:
            owners -= 1
            claims.requestCollection(content)
            steps[person] = .begin
        default:
            collect(person)
        }
    }

    private mutating func collect(_ person: Int) {
        switch steps[person] {
        case .begin:
            steps[person] = claims.begin(content) ? .ask : .done
        case .ask:
            steps[person] = .decide(isUsed: owners > 0)
        case .decide(let isUsed):
            switch claims.decide(content, isUsed: isUsed) {
            case .keep: steps[person] = .done
            case .askAgain: steps[person] = .ask
            case .delete: steps[person] = .deleteFile
            }
        case .deleteFile:
            fileExists = false
            steps[person] = .endDeleting
        case .endDeleting:
            for waiter in claims.endDeleting(content) { steps[waiter] = .link }
            steps[person] = .done
        default:
            break
        }
    }
}
