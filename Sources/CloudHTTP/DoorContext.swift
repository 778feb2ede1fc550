// Owns what Hummingbird keeps beside a request, for requests with and without a connection.

package import Hummingbird
import Logging

/// The context of a request.
package struct DoorContext: RequestContext {
    package var coreContext: CoreRequestContextStorage

    package init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
    }

    /// A context for a request that comes from this process.
    package init() {
        coreContext = CoreRequestContextStorage(source: InProcess())
    }

    private struct InProcess: RequestContextSource {
        var logger: Logger { Self.silent }

        private static let silent = Logger(label: "cloudlet.loopback") { _ in SwiftLogNoOpLogHandler() }
    }
}
