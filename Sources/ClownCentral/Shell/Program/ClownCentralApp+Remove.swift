import CloudletShell
import CommandShell
public import Foundation

extension ClownCentralApp {
    /// Prints what the program has stored on this machine, and returns whether there is anything.
    ///
    /// - Parameter data: The data folder of the embedded server; nil for the default folder.
    public func listData(_ data: URL?) -> Bool {
        list(storedData(data))
    }

    private func storedData(_ data: URL?) -> StoredData {
        StoredData(of: Self.names, data: data, environment: machine.environment)
    }

    private func list(_ stored: StoredData) -> Bool {
        let (output, items) = (OutputChannels.process, stored.present)
        if items.isEmpty {
            output.say("nothing is stored in \(stored.items.map(\.url.path).joined(separator: ", "))\n")
        }
        for item in items { output.say("\(item.url.path): \(item.contents)\n") }
        return !items.isEmpty
    }

    /// Deletes everything that the program has stored on this machine, and returns the exit code. Prints what
    /// is deleted. The configuration and start-up files that the user wrote stay.
    ///
    /// - Parameters:
    ///   - data: The data folder of the embedded server; nil for the default folder.
    ///   - ask: Asks a person to confirm the deletion; nil if the deletion is confirmed.
    public func removeData(_ data: URL?, ask: ((_ question: String) -> Bool)?) -> Int32 {
        let output = OutputChannels.process
        let stored = storedData(data)
        guard list(stored) else { return ExitStatus.done.rawValue }
        do {
            if let ask, !ask("delete all of this?") {
                output.say("nothing was deleted\n")
                return ExitStatus.failed.rawValue
            }
            try stored.remove()
            output.say("deleted\n")
            return ExitStatus.done.rawValue
        } catch {
            return Shell.printError(ShellError(error))
        }
    }
}
