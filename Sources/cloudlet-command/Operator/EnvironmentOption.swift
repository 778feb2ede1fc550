import ArgumentParser
import CommandShell
import Records

/// `--environment development|production`.
struct EnvironmentOption: ParsableArguments {
    @Option(name: .customLong("environment"), help: "development or production. Default: development")
    var given: Environment?

    /// The environment from the flag or, without it, from the settings.
    var environment: CloudEnvironment {
        get throws {
            let text = try CommandSettings.settings(["environment": given?.rawValue])["environment"]
            return text.flatMap { CloudEnvironment(rawValue: $0) } ?? .development
        }
    }

    /// An environment of a container.
    enum Environment: String, ExpressibleByArgument, CaseIterable {
        case development
        case production
    }
}

extension CloudEnvironment {
    /// The note that says on which environment of a container a command has worked.
    func note(on container: String) -> String { "in \(rawValue) of \(container)" }
}
