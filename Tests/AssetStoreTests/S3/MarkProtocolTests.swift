import Testing

@Suite("Protocol of the marks in a bucket")
struct MarkProtocolTests {
    @Test("In 20,000 interleavings of three servers no owned file is deleted, and no file is left over")
    func interleavings() throws {
        for seed in 0..<20_000 {
            var world = MarkWorld(nodes: 3)
            let isSound = world.run(seed)
            try #require(isSound, "seed \(seed): a record owns a file that was deleted")
            try #require(world.isClean, "seed \(seed): a file or a mark is left over")
        }
    }

    @Test("Without looking for the marks of others, the protocol would lose files")
    func necessary() {
        let isLost = (0..<2000).contains { seed in
            var world = MarkWorld(nodes: 3, looksForMarks: false)
            return !world.run(seed)
        }
        #expect(isLost)
    }
}

/// Servers that each save a record with the same content, delete it and collect the content, one request at a
/// time, as `BucketStorage` describes it. No server is started.
private struct MarkWorld: InterleavedWorld {
    enum Step {
        case putPin
        case lookForLocks
        case copy
        case save
        case deletePin
        case deleteRecord
        case askFirst
        case putLock
        case lookForMarks
        case ask
        case deleteContent
        case deleteLock(isDone: Bool)
        case done
    }

    private var steps: [Step]
    private let looksForMarks: Bool
    private var pins: Set<Int> = []
    private var locks: Set<Int> = []
    private var records: Set<Int> = []
    private var contentExists = false

    init(nodes: Int, looksForMarks: Bool = true) {
        steps = Array(repeating: .putPin, count: nodes)
        self.looksForMarks = looksForMarks
    }

    var runnable: [Int] {
        steps.indices.filter { if case .done = steps[$0] { false } else { true } }
    }

    var isSound: Bool { records.isEmpty || contentExists }

    var isClean: Bool { !contentExists && pins.isEmpty && locks.isEmpty }

    mutating func step(_ node: Int) {
        switch steps[node] {
        case .putPin:
            pins.insert(node)
            steps[node] = .lookForLocks
        case .lookForLocks:
            let isFree = locks.subtracting([node]).isEmpty || !looksForMarks
            steps[node] = isFree ? .copy : .lookForLocks
        case .copy:
            contentExists = true
            steps[node] = .save
        case .save:
            records.insert(node)
            steps[node] = .deletePin
        case .deletePin:
            pins.remove(node)
            steps[node] = .deleteRecord
        case .deleteRecord:
            records.remove(node)
            steps[node] = .askFirst
        default:
            collect(node)
        }
    }

    /// A server that must give way examines the content again, as after a later change.
    private mutating func collect(_ node: Int) {
        switch steps[node] {
        case .askFirst:
            steps[node] = records.isEmpty ? .putLock : .done
        case .putLock:
            locks.insert(node)
            steps[node] = .lookForMarks
        case .lookForMarks:
            let others = pins.union(locks).subtracting([node])
            steps[node] = others.isEmpty || !looksForMarks ? .ask : .deleteLock(isDone: false)
        case .ask:
            steps[node] = records.isEmpty ? .deleteContent : .deleteLock(isDone: true)
        case .deleteContent:
            contentExists = false
            steps[node] = .deleteLock(isDone: true)
        case .deleteLock(let isDone):
            locks.remove(node)
            steps[node] = isDone ? .done : .askFirst
        default:
            break
        }
    }
}
