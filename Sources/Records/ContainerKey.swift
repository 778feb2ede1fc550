/// Identifies a container in one environment.
package struct ContainerKey: Hashable, Sendable {
    package var container: String
    package var environment: CloudEnvironment

    package init(container: String, environment: CloudEnvironment) {
        self.container = container
        self.environment = environment
    }
}
