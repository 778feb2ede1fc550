import Logging
import Synchronization

@testable import TestKit

/// Records log lines, each with its metadata.
final class LogRecorder: Sendable {
    let lines = Mutex<[String]>([])

    /// The log handler that records into the notebook.
    struct Writer: LogHandler {
        let notebook: LogRecorder
        var metadata: Logger.Metadata = ["server": "s"]
        var logLevel = Logger.Level.notice

        init(notebook: LogRecorder) {
            self.notebook = notebook
        }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let beside = metadata.merging(event.metadata ?? [:]) { $1 }
            let words = beside.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            let line = (["\(event.message)"] + words).joined(separator: " ")
            notebook.lines.withLock { $0.append(line) }
        }
    }
}
