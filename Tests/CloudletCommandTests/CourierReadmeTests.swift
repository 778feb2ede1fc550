import Foundation
import Testing

@testable import TestKit

@Suite("The page on web services", .timeLimit(.minutes(30)))
struct CourierReadmeTests {
    @Test(
        "Its lines, run as printed, get a push from the poll, then from the stream, when somebody saves"
    )
    func lines() async throws {
        let folder = try URL.newFolder()
        defer { folder.remove() }
        let blocks = try Self.blocks()
        let server = try Self.serve(blocks, in: folder)
        let address = try await server.address().absoluteString
        let first = try #require(blocks.first { $0.contains("D=$U/database") })
        let second = try #require(blocks.first { $0.contains("subscriptions/modify") })
        var lines = second.components(separatedBy: "\n").filter { !$0.isEmpty }
        let poll = lines.removeLast()
        #expect(poll.hasPrefix("curl -s \"$C\""))
        let save = try #require(first.firstRange(of: /curl -s "\$D\/records\/modify[^']*'[^']*'/))
        let call = poll.prefix { $0 != "#" }
        let stream = call.replacing("$C", with: "${C/poll/stream}").replacing("-s", with: "-sN")
        let script = [
            first.replacing("http://127.0.0.1:8080", with: address), lines.joined(separator: "\n"),
            "\(call) > poll.json &",
            first[save].replacing("\"p1\"", with: "\"p2\"") + " > /dev/null", "wait $!",
            "exec 3< <(\(stream))",
            // The stream begins with an empty line, after which it is open.
            "read -r empty <&3",
            first[save].replacing("\"p1\"", with: "\"p3\"") + " > /dev/null",
            "read -r push <&3; printf '%s' \"$push\" > stream.json",
        ].joined(separator: "\n")
        let end = try await Command(
            executable: "/bin/bash", ["-c", "cd \(folder.path)\n\(script)"]
        ).end()
        #expect(end.code == 0, "\(end.errors)")
        for (file, name) in [("poll", "p2"), ("stream", "p3")] {
            let data = try Data(contentsOf: folder.appendingPathComponent("\(file).json"))
            let push = try JSON(Array(data))
            #expect(push["ck"]["qry"]["rid"] == .string(name))
            #expect(push["ck"]["qry"]["fo"] == 1)
        }
        #expect(await server.stop().code == 0)
    }

    @Test("Its lines for a closed server, run as printed, save as a person and with a server key")
    func closed() async throws {
        let folder = try URL.newFolder()
        defer { folder.remove() }
        let blocks = try Self.blocks()
        let first = try #require(blocks.firstIndex { $0.contains("cloudlet user add ann") })
        let lines = blocks[first...].joined(separator: "\necho\n")
        #expect(lines.contains("SignatureV1"))
        let server = try Command(
            "serve", "--port", "0", "--data", folder.appendingPathComponent("data").path)
        let address = try await server.address().absoluteString
        let bin = URL(fileURLWithPath: try Program.path("cloudlet")).deletingLastPathComponent().path
        let script = """
            cd \(folder.path); PATH=\(bin):$PATH; echo 'correct horse' > password.txt
            \(lines.replacing("http://127.0.0.1:8080", with: address))
            """
        let end = try await Command(executable: "/bin/bash", ["-c", script]).end()
        #expect(end.code == 0, "\(end.errors)")
        for record in ["n1", "p1"] {
            let saved = "{\"records\":[{\"recordName\":\"\(record)\""
            #expect(end.output.contains(saved), "\(end.output) \(end.errors)")
        }
        #expect(await server.stop().code == 0)
    }

    @Test("Its lines for files, run as printed, save a file, read it, and use it for a second record")
    func files() async throws {
        let folder = try URL.newFolder()
        defer { folder.remove() }
        let blocks = try Self.blocks()
        let server = try Self.serve(blocks, in: folder)
        let address = try await server.address().absoluteString
        let first = try #require(blocks.first { $0.contains("D=$U/database") })
        let upload = try #require(blocks.first { $0.contains("assets/upload") })
        let reference = try #require(blocks.first { $0.contains("assets/rereference") })
        // The same once more, with the file in a form, as the page says.
        let form = upload.replacing("photo1", with: "photo3").replacing(
            "--data-binary @photo.jpg", with: "-F files=@photo.jpg")
        #expect(form.contains("-F files=@photo.jpg"))
        let script = """
            cd \(folder.path); printf 'coffee and cake' > photo.jpg
            \(first.replacing("http://127.0.0.1:8080", with: address))
            \([upload, reference, form].joined(separator: "\necho\n"))
            """
        let end = try await Command(executable: "/bin/bash", ["-c", script]).end()
        #expect(end.code == 0, "\(end.errors)")
        for record in ["photo1", "photo2", "photo3"] {
            let saved = "{\"records\":[{\"recordName\":\"\(record)\""
            #expect(end.output.contains(saved), "\(end.output) \(end.errors)")
        }
        #expect(!end.output.contains("serverErrorCode"), "\(end.output)")
        let copies = end.output.components(separatedBy: "coffee and cake").count - 1
        #expect(copies == 2)
        #expect(await server.stop().code == 0)
    }

    /// Starts the server with the page's own line, on a free port.
    private static func serve(_ blocks: [String], in folder: URL) throws -> Command {
        let start = try #require(blocks.first { $0.hasPrefix("\ncloudlet serve ") }).prefix { $0 != "#" }
        let bin = URL(fileURLWithPath: try Program.path("cloudlet")).deletingLastPathComponent().path
        let line = start.trimmingCharacters(in: .whitespacesAndNewlines) + " --port 0"
        return try Command(
            executable: "/bin/sh", ["-c", "cd \(folder.path); PATH=\(bin):$PATH; exec \(line)"])
    }

    /// The code blocks of the page.
    private static func blocks() throws -> [String] {
        let page = URL.package.appending(path: "Sources/Cloudlet/Documentation.docc/WebServices.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        return text.components(separatedBy: "```").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
    }
}
