import Foundation

#if canImport(Glibc)
import Glibc
#endif

/// Asks the person at the keyboard for confirmation.
enum Question {
    /// The interval for checking whether Ctrl-C was pressed, in milliseconds.
    private static let pollMilliseconds: Int32 = 100

    /// Asks a yes-or-no question. Every answer except `y` and `yes` means no.
    ///
    /// - Throws: `CancellationError` if Ctrl-C is pressed.
    static func ask(_ text: String, outlet: OutputChannels) throws -> Bool {
        outlet.say("\(text) [y/N] ")
        var keyboard = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        while poll(&keyboard, 1, pollMilliseconds) <= 0 {
            if Task.isCancelled {
                outlet.talk("\n")
                throw CancellationError()
            }
        }
        let answer = readLine()?.trimmingCharacters(in: .whitespaces).lowercased() ?? ""
        return ["y", "yes"].contains(answer)
    }
}
