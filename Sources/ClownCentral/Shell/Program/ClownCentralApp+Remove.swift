import CloudletShell
import CommandShell
public import Foundation

extension ClownCentralApp {
    /// Deletes everything that the program has stored on this machine, and returns the exit code. Prints what
    /// is deleted. The configuration and start-up files that the user wrote stay.
    ///
    /// - Parameters:
    ///   - data: The data folder of the embedded server; nil for the default folder.
    ///   - ask: Asks a person to confirm the deletion; nil if the deletion is confirmed.
    public func removeData(_ data: URL?, ask: ((_ question: String) -> Bool)?) -> Int32 {
        let outlet = OutputChannels.process
        let stored = StoredData(of: Self.names, data: data, environment: machine.environment)
        let places = stored.present
        guard !places.isEmpty else {
            outlet.say("nothing is stored in \(stored.places.map(\.url.path).joined(separator: ", "))\n")
            return ExitStatus.done.rawValue
        }
        do {
            for place in places { outlet.say("\(place.url.path): \(place.contents)\n") }
            if let ask, !ask("delete all of this?") {
                outlet.say("nothing was deleted\n")
                return ExitStatus.failed.rawValue
            }
            try stored.remove()
            outlet.say("deleted\n")
            return ExitStatus.done.rawValue
        } catch {
            return Shell.printError(ShellError(error))
        }
    }
}
