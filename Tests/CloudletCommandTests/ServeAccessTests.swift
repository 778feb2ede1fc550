import Foundation
import RecordsWire
import Testing

@testable import TestKit

@Suite("cloudlet serve, open and closed", .timeLimit(.minutes(30)))
struct ServeAccessTests {
    private let folder = URL.unused()

    /// Runs a shell script in the folder of the binary, and returns its exit code and output.
    func run(_ script: String) async throws -> Program.End {
        defer { folder.remove() }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let text = """
            cd \(folder.path); export HOME=$PWD; cloudlet=\(try Program.path("cloudlet"))
            serve() { mkfifo ready; $cloudlet serve --port 0 "$@" > ready 2> log & server=$!
                { read address; read word; } < ready; rm ready; }
            finish() { kill $server; wait $server; cat log >&2; }
            sign_in() { curl -s -o /dev/null -w '%{http_code}\\n' $address/dev/sign-in -d '{"name":"ann"}'; }
            \(script)
            """
        return try await Command(executable: "/bin/bash", ["-c", text]).end()
    }

    @Test(
        "The server is closed unless --open, access = open or --ephemeral is given, and prints the reason",
        arguments: [
            ("serve --data d", "403", "closed (the default): people need passwords, apps need API tokens;"),
            ("serve --data d --open", "200", "open (--open): everybody who reaches this port may sign in"),
            ("serve --ephemeral", "200", "open (--ephemeral): everybody who reaches this port may"),
            ("serve --ephemeral --closed", "403", "closed (--closed): people need"),
            ("export CLOUDLET_ACCESS=open; serve --data d", "200", "open (access = open): everybody who"),
            (
                "serve --ephemeral --host 0.0.0.0", "403",
                "closed (other machines can reach 0.0.0.0): people need"
            ),
        ])
    func choice(start: String, status: String, words: String) async throws {
        let end = try await run("\(start); sign_in; finish")
        #expect(end.output == "\(status)\n")
        #expect(end.errors.contains(words), "\(end.errors)")
        #expect(!end.errors.contains("warning"))
    }

    @Test("An open server on an address that other machines reach needs --open, and warns")
    func reachable() async throws {
        let end = try await run("serve --data d --host 0.0.0.0 --open; sign_in; finish")
        #expect(end.output == "200\n")
        #expect(end.errors.contains("warning: other machines can reach 0.0.0.0, and everybody there may"))
        let unsaid = try await run("CLOUDLET_ACCESS=open $cloudlet serve --data d --host 0.0.0.0; ls")
        #expect(unsaid.output == "")
        #expect(unsaid.errors.contains("give --open if that is intended, otherwise --closed"))
    }

    @Test("The quota of each person comes from the flag, a variable or the project's file, and is published")
    func quota() async throws {
        let end = try await run(
            """
            limit() { curl -s $address/limits | sed 's/.*"personBytes":\\([0-9]*\\).*/\\1/'; echo; }
            serve --data d --person-quota 20GB; limit; finish
            echo 'person-quota = 1.5 MB' > cloudlet.conf; serve --data d; limit; finish
            rm cloudlet.conf; serve --data d; limit; finish
            serve --data d --person-quota 5; limit; finish
            $cloudlet serve --data d --person-quota much; echo $?
            $cloudlet serve --data d --person-quota 1GB --no-request-limits; echo $?
            """)
        let numbers = end.output.split(separator: "\n")
        #expect(
            numbers == ["20000000000", "1500000", "5000000000", "5", "2", "2"],
            "\(end.output) \(end.errors)")
        #expect(end.errors.components(separatedBy: "may have only").count == 2)
        #expect(end.errors.contains("each person may have only 5 B; to give a unit: --person-quota 20GB"))
        #expect(end.errors.contains("--person-quota takes a size such as 20GB, not much."))
    }

    @Test("A database that does not answer is refused, and nothing repeats its address")
    func database() async throws {
        let end = try await run(
            """
            $cloudlet serve --data d --database postgresql://me:secret@127.0.0.1:1/x; echo $?
            $cloudlet serve --data d --database mysql://me:secret@localhost/x; echo $?
            echo 'database = postgresql://me:secret@localhost/x' > cloudlet.conf
            $cloudlet serve --data d; echo $?
            $cloudlet config list | grep -c 'database .*(hidden)'
            $cloudlet serve --ephemeral --database postgresql://me:secret@127.0.0.1:1/x; echo $?
            """)
        #expect(
            end.output.split(separator: "\n") == ["1", "2", "2", "1", "2"], "\(end.output) \(end.errors)")
        #expect(end.errors.contains("the PostgreSQL database cannot be used"))
        #expect(end.errors.contains("check the address in --database"))
        #expect(end.errors.contains("--database takes an address such as postgresql://USER@HOST/NAME."))
        #expect(end.errors.contains("`database` is not allowed in a project's file"))
        #expect(end.errors.contains("--ephemeral keeps nothing, but --database would"))
        #expect(!end.errors.contains("secret"))
    }

    @Test("The program of --code-command reads the address and the code, and the code proves the address")
    func codeCommand() async throws {
        let end = try await run(
            #"""
            printf '#!/bin/sh\ncat > %s/new && mv %s/new %s/sent\n' $PWD $PWD $PWD > send; chmod +x send
            serve --data d --open --code-command $PWD/send
            take() { sed "s/.*\"$1\":\"\([^\"]*\)\".*/\1/"; }
            token() { curl -s $address/dev/sign-in -d '{"name":"'$1'"}' | take ckWebAuthToken; }
            c=iCloud.org.example.notes; D=$address/database/1/$c/development; A=$(token alice); E=$(token eva)
            curl -s "$D/private/zones/modify?ckWebAuthToken=$A" -d '{"operations":[{"operationType":"create",
              "zone":{"zoneID":{"zoneName":"Notes"}}}]}' > zone
            G=$(curl -s "$D/private/records/modify?ckWebAuthToken=$A" -d '{"zoneID":{"zoneName":"Notes"},
              "operations":[{"operationType":"create","record":{"recordName":"r","recordType":"Note"}},
              {"operationType":"create","record":{"recordName":"s","recordType":"cloudkit.share",
              "forRecord":{"recordName":"r"},"participants":[{"permission":"READ_ONLY",
              "userIdentity":{"lookupInfo":{"emailAddress":"eva@example.org"}}}]}}]}' | take shortGUID)
            P='"container":"'$c'","environment":"development","lookupInfo":{"emailAddress":"eva@example.org"}'
            curl -s "$address/sign-in/code?ckWebAuthToken=$E" -d '{'"$P"',"shortGUID":"'$G'"}'; echo
            until [ -e sent ]; do sleep 0.1; done; head -1 sent; code=$(tail -1 sent)
            curl -s "$address/sign-in/confirm?ckWebAuthToken=$E" -d '{'"$P"',"code":"'$code'"}'; echo
            curl -s "$D/public/records/accept?ckWebAuthToken=$E" -d '{"shortGUIDs":[{"value":"'$G'"}]}' |
              take participantStatus; echo
            finish
            $cloudlet serve --data d --code-command zone; echo $?
            """#)
        let lines = end.output.split(separator: "\n").map(String.init)
        #expect(lines == ["{}", "eva@example.org", "{}", "ACCEPTED", "2"], "\(end.output) \(end.errors)")
        #expect(end.errors.contains("which this user cannot run as a program"))
    }

    @Test("The flags about proxies are checked before the server starts")
    func proxies() async throws {
        let end = try await run(
            """
            $cloudlet serve --data d --open --trusted-proxy 127.0.0.1; echo $?
            $cloudlet serve --data d --trusted-proxy nginx; echo $?
            $cloudlet serve --data d --public-url cloud.example; echo $?
            $cloudlet serve --data d --trusted-proxy ''; echo $?
            touch file; $cloudlet serve --data d --backups file; echo $?; rm file
            CLOUDLET_TRUSTED_PROXY='127.0.0.1 10.0.0.0/8' $cloudlet config list | grep trusted; ls
            """)
        let lines = end.output.split(separator: "\n")
        #expect(lines.count == 6 && lines[..<5] == ["2", "1", "1", "2", "2"], "\(end.output)")
        #expect(end.errors.contains("--trusted-proxy takes the address of a proxy, such as 127.0.0.1, but"))
        #expect(end.errors.contains("; name a folder, which may be new."))
        #expect(lines.last?.contains("127.0.0.1 10.0.0.0/8  CLOUDLET_TRUSTED_PROXY") == true)
        #expect(end.errors.contains("An open server rejects forwarded requests; add --closed."))
        #expect(end.errors.contains("the trusted proxy nginx is not a network address; give one such as"))
        #expect(end.errors.contains("the public address cloud.example cannot be used; give scheme, host"))
    }

    @Test("Three commands create the first container, token and person of a closed server")
    func first() async throws {
        let end = try await run(
            """
            serve --data d; c=iCloud.org.example.parties
            $cloudlet container create $c --data d > out
            token=$($cloudlet token create $c --data d)
            echo 'correct horse' | $cloudlet user add ann --password-stdin --data d > out
            curl -s "$address/sign-in/token?ckAPIToken=$token" -d '{"container":"'$c'",
              "environment":"development","name":"ann","password":"correct horse"}'
            finish
            """)
        #expect(end.output.contains("\"ckWebAuthToken\":\"106__54__"), "\(end.output) \(end.errors)")
    }

    @Test("The log names the address of throttled sign-ins, and with the form json each line is JSON")
    func log() async throws {
        let end = try await run(
            """
            c=iCloud.org.example.parties
            sign_in() { curl -s -o /dev/null "$address/sign-in/token?ckAPIToken=$token" -d '{
              "container":"'$c'","environment":"development","name":"ann","password":"wrong"}'; }
            eight() { began=; for i in 1 2 3 4 5 6 7 8; do sign_in & began="$began $!"; done; wait $began; }
            was_refused() { grep -q 'was refused' log; }
            until_refused() { for round in 1 2 3 4 5 6 7 8; do eight; ! was_refused || return 0; done; }
            serve --data d --log-format json --log-addresses address
            $cloudlet container create $c --data d > out; token=$($cloudlet token create $c --data d)
            echo 'correct horse' | $cloudlet user add ann --password-stdin --data d > out
            until_refused; kill $server; wait $server
            grep -vc '^{"time":"[^"]*","level":"[a-z]*","message":".*}$' log
            grep -c 'level":"warning".* from 127.0.0.1 was refused' log
            grep -o 'level":"info","message":"data in' log; grep -o 'level":"info","message":"stopping' log
            serve --data d --log-addresses none; until_refused; kill $server; wait $server
            grep -c 'an attempt to sign in was refused' log
            """)
        let lines = end.output.split(separator: "\n")
        #expect(lines.count == 5, "\(end.output) \(end.errors)")
        #expect(lines.first == "0" && lines.dropFirst().first != "0" && lines.last != "0", "\(end.output)")
    }

    @Test("Every setting of serve can come from a variable or from the user's file")
    func settings() async throws {
        let end = try await run(
            """
            mkdir -p .config/cloudlet; conf=.config/cloudlet/cloudlet.conf
            printf 'ready-file = ~/at\nconnections = 7\nno-request-limits = true\n' > $conf
            serve --data d; cat at | sed 's/[0-9]*$//'; curl -s $address/limits | grep -c personBytes
            kill $server; wait $server; ls at
            printf 'apns-key = key.p8\n' > $conf; $cloudlet serve --data d --port 0; echo $?
            CLOUDLET_APNS_URL=https://push.example $cloudlet config list | tr -s ' ' | grep '_URL$'
            CLOUDLET_CONNECTIONS=none $cloudlet serve --data d --port 0; echo $?
            """)
        #expect(
            end.output == """
                http://127.0.0.1:
                0
                2
                apns-url CLOUDLET_APNS_URL https://push.example CLOUDLET_APNS_URL
                2

                """, "\(end.errors)")
        #expect(end.errors.contains("belong together; give all four"), "\(end.errors)")
        #expect(end.errors.contains("the variable CLOUDLET_CONNECTIONS"), "\(end.errors)")
    }

    @Test("Only the server's user can read its data; the ready file has the permissions of the user's mask")
    func files() async throws {
        let end = try await run(
            """
            umask 022; serve --data d --open --ready-file at; sign_in > out
            D=$address/database/1/iCloud.org.example.parties/development
            T=$(curl -s $address/dev/sign-in -d '{"name":"paul"}' |
              sed 's/.*"ckWebAuthToken":"\\([^"]*\\)".*/\\1/')
            for kind in public private; do
              curl -s -o out "$D/$kind/records/modify?ckWebAuthToken=$T" -d '{"operations":[{
                "operationType":"create","record":{"recordName":"p","recordType":"Party"}}]}'
            done
            find d -type f -o -type p | wc -l; find d -name private
            find d -type d ! -perm 700; find d ! -type d ! -perm 600; stat -c %a at
            finish; $cloudlet backup kept --data d > out 2>&1
            find kept -type d ! -perm 700; find kept -type f ! -perm 600
            """)
        let lines = end.output.split(separator: "\n").map(String.init)
        #expect(Int(lines.first ?? "") ?? 0 > 6, "\(end.output)")
        #expect(
            Array(lines.dropFirst())
                == ["d/containers/iCloud.org.example.parties/development/private", "644"], "\(end.output)")
    }

    @Test("A data folder that others can read becomes private, and a message says so")
    func folderOfOthers() async throws {
        let end = try await run(
            """
            mkdir -m 755 d; ln -s d link; $cloudlet container list --data d 2> out; chmod 755 d
            $cloudlet doctor --data d; serve --data link; finish; stat -c %a d
            """)
        #expect(end.output.hasSuffix("700\n"), "\(end.output)")
        #expect(end.output.contains("other users of this machine have access to it"))
        #expect(end.output.contains("chmod 700 "))
        #expect(end.errors.contains("it is now private (chmod 700)"), "\(end.errors)")
    }

    @Test("The command of exec creates its files with the user's own mask")
    func exec() async throws {
        let end = try await run("umask 027; $cloudlet exec -- sh -c 'umask; mkdir made'; stat -c %a made")
        #expect(end.output == "0027\n750\n", "\(end.errors)")
    }
}
