import CommandShell
import Foundation
import Subprocess

#if canImport(System)
import System
#else
import SystemPackage
#endif

/// Runs the app in another process, which can be killed at a given point.
struct AppProcess {
    /// The result of the process.
    struct End: Sendable {
        /// How the process ended: `killed`, or `with code N`.
        let description: String
        /// The fields of its answer, if it printed one.
        let fields: [AnswerField]
    }

    let program: URL
    let arguments: [String]
    let folder: URL
    /// The environment variables of the process; nil to inherit those of this process.
    let environment: [String: String]?
    /// The app's token; nil if it needs none. It is passed on as a variable, because everybody on the machine
    /// can read the arguments of a process.
    let apiToken: String?
    /// The text on standard error at which the process is killed; nil to let it end by itself.
    let killedAt: String?

    func run() async throws -> End {
        let killedAt = killedAt
        let result = try await Subprocess.run(
            .path(FilePath(program.path)), arguments: Arguments(arguments), environment: variables,
            workingDirectory: FilePath(folder.path), input: .none, output: .sequence, error: .sequence
        ) { execution in
            async let answer = Self.text(of: execution.standardOutput)
            for try await line in execution.standardError.strings() {
                guard let killedAt, line.contains(killedAt) else { continue }
                try execution.send(signal: .kill)
            }
            return try await answer
        }
        switch result.terminationStatus {
        case .exited(let code):
            return End(description: "with code \(code)", fields: Self.fields(of: result.closureResult))
        case .signaled: return End(description: "killed", fields: [])
        }
    }

    private var variables: Environment {
        let base = environment.map { environment -> Environment in
            let pairs = environment.map { (Environment.Key(stringLiteral: $0.key), $0.value) }
            return Environment.custom(Dictionary(pairs) { $1 })
        }
        guard let apiToken else { return base ?? .inherit }
        return (base ?? .inherit).updating(["CLOUDLET_API_TOKEN": apiToken])
    }

    private static func text(of output: SubprocessOutputSequence) async throws -> String {
        var text = ""
        for try await line in output.strings() { text += line + "\n" }
        return text
    }

    /// The members of the last JSON object in the output.
    private static func fields(of output: String) -> [AnswerField] {
        guard let line = output.split(separator: "\n").last,
            let members = try? JSONDecoder().decode([String: Member].self, from: Data(line.utf8))
        else { return [] }
        return members.sorted { $0.key < $1.key }.map { AnswerField($0.key, $0.value.value) }
    }

    /// A member of an answer with one record. Other types of values do not occur.
    private struct Member: Decodable {
        let value: Value

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let count = try? container.decode(Int.self) {
                value = .count(count)
            } else if let flag = try? container.decode(Bool.self) {
                value = .flag(flag)
            } else {
                value = (try? container.decode(String.self)).map(Value.text) ?? .missing
            }
        }
    }
}
