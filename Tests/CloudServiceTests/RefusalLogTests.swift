import CloudService
import Synchronization
import Testing

@Suite("Lines about refusals in the log")
struct RefusalLogTests {
    /// A log whose clock the test sets.
    private final class World: Sendable {
        let lines = Mutex<[String]>([])
        let now = Mutex(Duration.zero)

        func say(_ line: String) { lines.withLock { $0.append(line) } }

        func makeLog() -> RefusalLog {
            RefusalLog(uptime: { self.now.withLock(\.self) }, summarize: { self.say($0) })
        }
    }

    @Test("Ten lines of a kind are logged in a minute, then the number of the others")
    func limit() {
        let world = World()
        let log = world.makeLog()
        for _ in 0..<25 { log.tell(.signIn) { world.say("early") } }
        log.tell(.fullDisk) { world.say("full") }
        #expect(world.lines.withLock(\.self) == Array(repeating: "early", count: 10) + ["full"])
        world.now.withLock { $0 = .seconds(60) }
        log.tell(.signIn) { world.say("late") }
        #expect(
            world.lines.withLock { $0.suffix(2) }
                == ["15 more attempts to sign in that came too early, within a minute", "late"])
    }

    @Test("When it stops, a server logs the number of omitted lines once")
    func end() {
        let world = World()
        let log = world.makeLog()
        for _ in 0..<12 { log.tell(.failure) {} }
        log.finish()
        log.finish()
        #expect(world.lines.withLock(\.self) == ["2 more requests that failed, within a minute"])
    }
}
