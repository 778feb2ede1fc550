import Foundation

#if canImport(Glibc)
import Glibc
#endif

/// Asks the person at the keyboard.
enum Question {
    /// How long one look at the keyboard takes; between two looks Ctrl-C is heard.
    private static let look: Int32 = 100

    /// Asks whether to do something; only a yes is one. Throws when Ctrl-C is pressed instead.
    static func ask(_ text: String, outlet: Outlet) throws -> Bool {
        outlet.say("\(text) [y/N] ")
        var keyboard = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        while poll(&keyboard, 1, look) <= 0 {
            if Task.isCancelled {
                outlet.talk("\n")
                throw CancellationError()
            }
        }
        let answer = readLine()?.trimmingCharacters(in: .whitespaces).lowercased() ?? ""
        return ["y", "yes"].contains(answer)
    }
}
