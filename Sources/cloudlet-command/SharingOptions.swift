import ArgumentParser
import Foundation

/// `--fallback-url URL` and `--code-command FILE`.
struct SharingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The address of the app's web page, such as https://app.example/open/, to which the pages of "
                + "shares lead; the short GUID of the share is appended.",
            discussion: """
                `cloudlet container set-fallback` gives a container another address. Default: none; \
                the page says that the app shows the shared records.
                """, valueName: "url"))
    var fallbackUrl: String?

    @Option(
        help: ArgumentHelp(
            "A program that sends a code to an e-mail address or phone number.",
            discussion: """
                It proves that a person owns the address by which somebody invited them to a share. \
                The program reads the address and the code from its standard input, one line each, \
                and exits with 0 when the code is sent, within 30 seconds. Default: none; an open \
                server shows the code, a closed one takes only the addresses that `cloudlet user` \
                has set.
                """, valueName: "file"), completion: .file())
    var codeCommand: String?

    /// The values of the flags.
    var flags: [String: String?] { ["fallback-url": fallbackUrl, "code-command": codeCommand] }

    /// The sender that runs a program; nil if no program is given. Throws if the file is not executable.
    static func sender(
        _ path: String?
    ) throws -> (@Sendable (_ address: String, _ code: String) async throws -> Void)? {
        guard let path else { return nil }
        guard FileManager.default.isExecutableFile(atPath: path) else {
            throw ValidationError(
                "--code-command names \(path), which this user cannot run as a program; give the path of "
                    + "an executable file.")
        }
        let program = OperatorProgram(path: path)
        return { address, code in try await program.send("\(address)\n\(code)\n") }
    }
}
