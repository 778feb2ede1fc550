import Foundation
import Testing

@testable import ShellKit
@testable import TestKit

@Suite("What the shell stores", .timeLimit(.minutes(30)))
struct StoredDataTests {
    private static let use = """
        $app --as alice -c 'note add One' -c "favourite save n 'note list'" -c sync > /dev/null 2>&1

        """

    @Test("Only the user can read it, it lies in the named folders, and one command deletes it")
    func removed() async throws {
        let end = try await Program.shell(
            Self.use + """
                mkdir -p .config/clown-central
                (umask 077; echo 'on = mac' > .config/clown-central/clown-central.conf)
                for place in .local/share/clown-central .local/share/clown-central-devices; do
                  stat -c %a $place
                done
                find .local .config -type f -perm /077
                $app remove-data --yes; echo "code $?"
                find . -type f; $app remove-data --yes 2>&1 | grep -c 'nothing is stored in /'
                """)
        let kept = "./.config/clown-central/clown-central.conf"
        #expect(end.output == "700\n700\ncode 0\n\(kept)\n1\n", "\(end.output)\(end.errors)")
        for place in [
            "/.local/share/clown-central: the data of the embedded server\n",
            "/.local/share/clown-central-devices: the devices' copies",
            "/.config/clown-central/favourites: the favourites\n", "deleted\n",
        ] { #expect(end.errors.contains(place), "\(place) is not in \(end.errors)") }
    }

    @Test("With --dry-run, it lists and deletes nothing, also with --yes")
    func dryRun() async throws {
        let end = try await Program.shell(
            Self.use + """
                $app remove-data --dry-run --yes; echo "code $?"; $app remove-data --dry-run < /dev/null
                echo "code $?"; ls .local/share; $app --as alice -c 'note list' --mode line | grep -c One
                """)
        #expect(end.output == "code 0\ncode 0\nclown-central\nclown-central-devices\n1\n", "\(end.errors)")
        let lists = end.errors.components(separatedBy: "/clown-central: the data of the embedded")
        #expect(lists.count == 3, "\(end.errors)")
        #expect(end.errors.contains("nothing was deleted, because of --dry-run\n"))
        #expect(!end.errors.contains("\ndeleted\n"))
    }

    @Test("A script needs --yes, and neither a folder in use nor a foreign one is deleted")
    func refused() async throws {
        let end = try await Program.shell(
            Self.use + """
                $app remove-data < /dev/null; echo "code $?"
                mkdir foreign; echo mine > foreign/file
                $app remove-data --data foreign --yes; echo "code $?"
                mkfifo ready
                $cloudlet serve --data .local/share/clown-central --open --port 0 > ready & server=$!
                { read address; read word; } < ready
                $app remove-data --yes; echo "code $?"
                kill $server; wait $server
                cat foreign/file; ls .local/share
                """)
        #expect(
            end.output
                == "code 2\ncode 1\ncode 1\nmine\nclown-central\nclown-central-devices\n",
            "\(end.output)\(end.errors)")
        #expect(end.errors.contains("nothing was deleted: add --yes to delete all of this"))
        let list = try #require(end.errors.range(of: "/.local/share/clown-central: the data of the embedded"))
        let refusal = try #require(end.errors.range(of: "nothing was deleted: add"))
        #expect(list.lowerBound < refusal.lowerBound)
        #expect(end.errors.contains("foreign is not the data folder of a server"))
        #expect(end.errors.contains("a server or another shell uses /"))
    }
}
