import CloudService

/// Writes the address of a running server into its data folder, where the operator's commands look for it.
enum AddressWriter {
    private static let retrySeconds = 10

    /// Writes the file. If that fails, as on a full disk, logs it and returns a task that tries again until
    /// the file is written or the task is cancelled.
    static func write(
        _ file: String, runtime: ServerRuntime, _ write: @escaping @Sendable () throws -> Void
    ) -> Task<Void, Never>? {
        do {
            try write()
            return nil
        } catch {
            runtime.report(
                "the server's address cannot be written to \(file), so commands with --data do not find the "
                    + "server; free space on the disk, and the server writes it within \(retrySeconds) s: "
                    + "\(error)")
        }
        return Task {
            while !Task.isCancelled, (try? await runtime.idle(retrySeconds)) != nil {
                if (try? write()) != nil { return runtime.warn("the server's address is in \(file) now") }
                // Lets other tasks run even in a test whose pauses take no time.
                await Task.yield()
            }
        }
    }
}
