import ClownCentral
import CommandShell

extension Machine {
    /// The machine that this process runs on.
    static var current: Machine { .current(for: ClownCentralApp.names.name) }
}
