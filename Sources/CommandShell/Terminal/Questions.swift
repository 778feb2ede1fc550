import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Asks the person for text while a command runs.
enum Questions {
    /// Asks on standard error and returns the typed line; nil if there is no terminal. A secret is not
    /// displayed while it is typed.
    static func ask(_ question: String, isSecret: Bool) -> String? {
        guard TerminalSize.isTerminal(STDIN_FILENO), TerminalSize.isTerminal(STDERR_FILENO) else {
            return nil
        }
        StandardError.write(VisibleText.escaped(question))
        guard isSecret else { return readLine() }
        var shown = termios()
        guard tcgetattr(STDIN_FILENO, &shown) == 0 else { return nil }
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
