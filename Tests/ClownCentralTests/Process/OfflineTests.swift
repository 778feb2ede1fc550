import Foundation
import Testing

@testable import ShellKit
@testable import TestKit

@Suite("A shell without its server", .timeLimit(.minutes(30)))
struct OfflineTests {
    /// Shell functions that start a server, always on the same port, and stop it.
    private static let server = """
        mkfifo ready; port=0
        start() {
            $cloudlet serve --data $1 --open --port $port > ready & server=$!
            { read address; read word; } < ready; port=${address##*:}
        }
        stop() { kill $server; wait $server; }

        """

    @Test("It starts, reads and writes, reports that the server is unreachable, and syncs when it is back")
    func startsAlone() async throws {
        let end = try await Program.shell(
            Self.server + """
                start data; stop
                run() { $app --server $address --as alice "$@"; echo "code $?"; }
                run -c 'note add One' -c 'note list'
                run -c 'note add Two' -c 'note list' -c 'sync'
                run -c 'party create Tea'
                start data
                run -c sync -c 'note list'
                stop
                run -c 'note list'
                """)
        let errors = end.errors
        let codes = end.output.split(separator: "\n").filter { $0.hasPrefix("code ") }
        #expect(codes == ["code 0", "code 1", "code 1", "code 0", "code 0"], "\(end.output)\(errors)")
        #expect(end.output.contains("sent     2"))
        #expect(errors.contains("offline: no server answers at http://127.0.0.1:"))
        #expect(errors.contains("error: the server cannot be reached: connection refused"))
    }

    @Test("A shell that started without the server signs in by itself when the server is back")
    func signsInLater() async throws {
        let end = try await Program.shell(
            Self.server + """
                start data; stop; mkfifo typed
                $app --server $address --as alice --devices devices --json < typed & shell=$!
                exec 3> typed; echo 'note add One' >&3
                while ! find devices -name replica.sqlite 2> /dev/null | grep -q .; do :; done
                # The server must not hold the pipe open, or the shell would wait for more.
                start data 3>&-
                echo sync >&3; echo status >&3; exec 3>&-; wait $shell; echo "code $?"
                stop
                """)
        #expect(end.output.hasSuffix("code 0\n"), "\(end.output)\(end.errors)")
        #expect(end.output.contains(#""state":"idle""#))
        #expect(end.output.contains(#""online":true"#))
        #expect(end.errors.contains("the server answers again: signed in as alice\n"))
    }

    @Test(
        "A new server for old data is an error until `sync reset`", arguments: [true, false])
    func newServer(isKept: Bool) async throws {
        let way = isKept ? "--send-all" : "--forget --yes"
        let end = try await Program.shell(
            Self.server + """
                run() { $app --server $address --as alice "$@"; echo "code $?"; }
                start old
                run -c 'note add One' -c sync -c 'share add One --with bob@example.org' -c sync > before
                stop
                start new
                run -c sync
                run -c pending -c 'note list'
                run -c 'sync reset \(way)' -c pending -c sync -c 'note list'
                stop
                """)
        let codes = end.output.split(separator: "\n").filter { $0.hasPrefix("code ") }
        #expect(codes == ["code 1", "code 0", "code 0"], "\(end.output)\(end.errors)")
        #expect(end.output.contains("state    blocked"))
        #expect(end.output.contains(isKept ? "sent     1" : "sent     0"))
        #expect(
            end.errors.contains("error: the server does not know the person whose data is on this device"))
        #expect(
            end.errors.contains("try: sync reset --send-all, to keep the data and send it; or sync reset"))
        #expect(end.errors.contains("this device has no unsent changes"))
        let blocked = "the last sync was blocked: the server does not know the person whose data is on this"
        #expect(end.errors.components(separatedBy: blocked).count == 2, "\(end.errors)")
        #expect(end.errors.contains("no notes on this device") == !isKept)
        let shares = "1 share of the old server cannot be sent: share the notes again"
        #expect((end.output + end.errors).contains(shares) == isKept)
    }
}
