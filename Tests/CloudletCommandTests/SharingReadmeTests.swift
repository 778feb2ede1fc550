import Foundation
import Testing

@testable import TestKit

@Suite("The README on sharing", .timeLimit(.minutes(30)))
struct SharingReadmeTests {
    @Test("Its lines, run as printed, share a note, resolve the link, accept, read the note, show the page")
    func lines() async throws {
        let text = try String(contentsOf: .package.appending(path: "README.md"), encoding: .utf8)
        let section = try #require(text.components(separatedBy: "### Share with curl\n").last)
        let block = section.components(separatedBy: "```\n")[1]
        let lines = block.split(separator: "\n").map(String.init)
        #expect(lines[0] == "cloudlet serve --ephemeral --port 8080 &")
        let server = try Command(["serve", "--ephemeral", "--port", "0"])
        let address = try await server.address().absoluteString
        let folder = try URL.newFolder()
        defer { folder.remove() }
        let script = (["U=" + address] + lines.dropFirst(2)).joined(separator: "\n")
        #expect(lines[1] == "U=http://127.0.0.1:8080")
        let end = try await Command(executable: "/bin/sh", ["-ec", "cd \(folder.path)\n\(script)"]).end()
        #expect(end.code == 0, "\(end.errors)")
        let output = end.output
        for text in [
            #""databaseScope":"SHARED""#, #""participantStatus":"INVITED""#, #""value":"Pack a rope""#,
            "Sign in to see what is shared with you", "<strong>iCloud.org.example.notes</strong>",
        ] {
            #expect(output.contains(text), "\(text)\n\(output)")
        }
        #expect(!output.contains("serverErrorCode"), "\(output)")
        #expect(await server.stop().code == 0)
    }
}
