import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Asks the person at the keyboard.
package enum Question {
    /// The interval for checking whether Ctrl-C was pressed, in milliseconds.
    private static let pollMilliseconds: Int32 = 100

    /// Asks a yes-or-no question. Every answer except `y` and `yes` means no.
    ///
    /// - Throws: `CancellationError` if Ctrl-C is pressed.
    static func confirm(_ text: String, output: OutputChannels) throws -> Bool {
        output.say("\(text) [y/N] ")
        var keyboard = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        while poll(&keyboard, 1, pollMilliseconds) <= 0 {
            if Task.isCancelled {
                output.message("\n")
                throw CancellationError()
            }
        }
        let answer = readLine()?.trimmingCharacters(in: .whitespaces).lowercased() ?? ""
        return ["y", "yes"].contains(answer)
    }

    /// Asks for text on standard error and returns the typed line; nil if there is no terminal. A secret is
    /// not displayed while it is typed.
    static func ask(_ question: String, isSecret: Bool) -> String? {
        guard TerminalSize.isTerminal(STDIN_FILENO), TerminalSize.isTerminal(STDERR_FILENO) else {
            return nil
        }
        StandardError.write(VisibleText.escaped(question))
        return isSecret ? readSecret() : readLine()
    }

    /// Reads a line that the terminal does not display.
    package static func readSecret() -> String? {
        var shown = termios()
        guard tcgetattr(STDIN_FILENO, &shown) == 0 else { return readLine() }
        var hidden = shown
        hidden.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden)
        defer {
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &shown)
            StandardError.write("\n")
        }
        return readLine()
    }
}
