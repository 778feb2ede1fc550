import Foundation
import RecordsWire
import Testing

@testable import TestKit

extension ServeAccessTests {
    @Test("cloudlet logs prints the last requests of a running server, filtered, explained, and as JSON")
    func logs() async throws {
        let end = try await run(
            #"""
            serve --data d --open
            D=$address/database/1/iCloud.org.example.notes/development
            look() { curl -s -o answer "$D/public/records/lookup" -d '{"records":[{"recordName":"p1"}]}'; }
            look; look
            $cloudlet logs --data d --operation records/lookup | sed 's/^[^ ]* *//; s/[0-9]* ms/N ms/'
            $cloudlet logs --data d --record p1 --explain | grep -c 'Delete the local copy'
            $cloudlet logs --data d --record p2
            $cloudlet logs --data d --error none; echo $?
            $cloudlet logs --data d --error NOT_FOUND --record p1 | grep -c 'records/lookup'
            $cloudlet logs --data d --before 1
            logs() { $cloudlet logs --data d --record p1 --json "$@"; }
            logs | sed 's/"recordNames":\["p1"\]/NAMES/g' | grep -o NAMES
            export -f logs; export cloudlet
            timeout 5 bash -c 'logs --follow' | grep -c '"operation":"records/lookup"'
            finish
            $cloudlet logs --data d; echo $?
            """#)
        let line =
            "200  records/lookup  iCloud.org.example.notes development public  N ms  p1"
        let lines = end.output.split(separator: "\n").map(String.init)
        #expect(
            lines == [
                line, "notFound: Record not found", line, "notFound: Record not found", "2", "2",
                "2", "NAMES", "NAMES", "2", "1",
            ], "\(end.output) \(end.errors)")
        #expect(end.errors.contains("no request matches"))
        #expect(end.errors.contains("requests since it started; earlier ones are lost"))
        #expect(end.errors.contains("no server runs on the data folder, and a server loses its last req"))
    }

    @Test("An alert runs the operator's program, and rules without a receiver are refused")
    func alerts() async throws {
        let end = try await run(
            #"""
            $cloudlet serve --data d --alerts 'errors>5%'; echo $?
            $cloudlet serve --data d --alerts 'load>5' --alert-command /bin/true; echo $?
            $cloudlet serve --data d --alerts 'errors>5%' --alert-command $PWD/none; echo $?
            $cloudlet serve --data d --alerts 'errors>5%' --alert-webhook ftp://a.example; echo $?
            $cloudlet serve --data d --alerts 'errors>5%' --alert-webhook http://127.0.0.1:99999/a; echo $?
            $cloudlet serve --data d --alerts 'errors>5%' --alert-webhook http://a.example \
                --alert-command /bin/true; echo $?
            $cloudlet serve --data d --alert-webhook http://a.example; echo $?
            $cloudlet serve --data d --alerts '' --alert-command /bin/true; echo $?
            """#)
        let codes = end.output.split(separator: "\n").map(String.init)
        #expect(codes.count == 8 && !codes.contains("0"), "\(end.output) \(end.errors)")
        for words in [
            "give --alert-webhook or --alert-command", "write one such as errors>5%",
            "which this user cannot run as a program", "takes an http or https address",
            "send the same alerts; give one of them", "receive nothing without rules; give --alerts",
            "--alerts takes rules such as errors>5%, but its value is empty",
        ] {
            #expect(end.errors.contains(words), "\(words): \(end.errors)")
        }
    }
}
