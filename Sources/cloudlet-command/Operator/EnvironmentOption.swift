// Owns the option that names one of a container's two environments.

import ArgumentParser
import Records

/// `--environment development|production`.
struct EnvironmentOption: ParsableArguments {
    @Option(help: "development or production.")
    var environment = Environment.development

    /// One of a container's two environments.
    enum Environment: String, ExpressibleByArgument, CaseIterable {
        case development
        case production
    }
}
