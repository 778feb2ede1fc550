// Owns when what stands beside log messages is put into words.

import Logging

/// Hands messages to another handler, and metadata with them, not before.
///
/// An HTTP server gives every request a logger that knows its number, and hardly any request has something to
/// log; other handlers make text of the number at once.
struct LateLogHandler: LogHandler {
    private let base: any LogHandler
    var metadata: Logger.Metadata
    var metadataProvider: Logger.MetadataProvider?
    var logLevel: Logger.Level

    init(_ base: any LogHandler) {
        self.base = base
        metadata = base.metadata
        metadataProvider = base.metadataProvider
        logLevel = base.logLevel
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var base = base
        base.metadata = metadata
        base.metadataProvider = metadataProvider
        base.log(event: event)
    }
}
