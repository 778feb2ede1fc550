import CloudletServer
import Foundation
import Testing

@testable import CloudletShell
@testable import ClownCentral
@testable import CommandShell
@testable import ShellKit
@testable import TestKit

@Suite("A script, embedded and with --server", .timeLimit(.minutes(30)))
struct BothWaysTests {
    /// The scenes whose output depends on the place of the server: they wait for the clock, which stands
    /// still here, or move it; register a key, which only an embedded server allows; show a quota, which only
    /// the embedded server has; or print limits, times and requests of the server, and the place of the data.
    private static let excluded: Set = [
        "09-batch.clown", "10-conflict.clown", "46-at-the-prompt.clown",
        "21-runaway.clown", "22-import.clown", "37-operations.clown", "38-storage.clown",
        "47-bad-networks.clown",
        "48-a-week-later.clown", "58-telemetry.clown", "60-console.clown", "61-three-questions.clown",
    ]

    private static func scenes() throws -> [String] {
        let folder = URL.package.appendingPathComponent("Demo/scenes")
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            .filter { $0.hasSuffix(".clown") && !Self.excluded.contains($0) }
    }

    @Test(
        "prints the same, byte for byte",
        .enabled(if: ShellWorld.hasThumbnailer, "vipsthumbnail is not installed"),
        arguments: try scenes(), ["", "--json"]
    )
    func scene(name: String, form: String) async throws {
        let package = URL.package.path
        let script = "\(package)/Demo/scenes/\(name)"
        let run = "cd \(package); $app --seed 7 --now 2026-07-04T18:00 \(form) -f \(script)"
        let embedded = try await Program.shell("\(run) --ephemeral")
        #expect(embedded.code == 0, "\(embedded.errors)")
        #expect(!embedded.output.isEmpty)
        let served = try await Program.shell(
            """
            mkfifo ready; mkdir temporary
            # One that keeps its data takes no faults, and scenes set some.
            TMPDIR=$PWD/temporary $cloudlet serve --ephemeral --port 0 > ready & server=$!
            { read address; read word; } < ready
            export CLOUDLET_OPERATOR_KEY_FILE=$(echo $PWD/temporary/*/operator.key)
            (\(run) --server $address); code=$?; kill $server; wait $server; exit $code
            """)
        #expect(served.code == 0, "\(served.errors)")
        #expect(Self.plain(served.output) == Self.plain(embedded.output))
    }

    /// The output without what differs between two servers: the user record names, the URLs and GUIDs of
    /// shares, the quota of the embedded server, and the rates of the other.
    private static func plain(_ output: String) -> String {
        output.replacing(/_[0-9a-f]{32}/, with: "_somebody")
            .replacing(/http:\/\/[a-z0-9.:]+\/share\/[A-Za-z0-9_-]+/, with: "URL")
            .replacing(/short GUID \[[A-Za-z0-9_-]+\]/, with: "short GUID")
            .replacing(/\[[A-Za-z0-9_-]{30,}\]/, with: "[GUID]")
            .replacing(/, limit 5\.0 GB/, with: "")
            .replacing(/,"limit":5000000000/, with: "").replacing(/,"[a-z]+Rate":"[^"]+"/, with: "")
            .replacing(/, [a-z]+Rate [0-9]+ requests in [0-9]+ s/, with: "")
    }
}
