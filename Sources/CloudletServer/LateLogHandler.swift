import Logging

/// Hands messages to another handler, and metadata with them, not before.
///
/// An HTTP server gives every request a logger that knows its number, and hardly any request has something to
/// log; other handlers make text of the number at once.
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
