import Logging

/// Passes messages to another log handler, and sets that handler's metadata only when there is a message to
/// log.
///
/// An HTTP server gives every request a logger with the request's number, but hardly any request logs a
/// message. Other handlers format the number immediately.
struct LateLogHandler: LogHandler {
    private var base: any LogHandler
    var metadata: Logger.Metadata
    var logLevel: Logger.Level {
        get { base.logLevel }
        set { base.logLevel = newValue }
    }

    init(_ base: any LogHandler) {
        self.base = base
        metadata = base.metadata
    }

    var metadataProvider: Logger.MetadataProvider? {
        get { base.metadataProvider }
        set { base.metadataProvider = newValue }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var base = base
        base.metadata = metadata
        base.log(event: event)
    }
}
