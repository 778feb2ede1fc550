import CReadline
import Foundation

#if canImport(Glibc)
import Glibc
#endif

/// The line editor. A process has only one, because readline has global state.
@MainActor
final class LineEditor {
    /// The result of a prompt.
    enum Event: Equatable {
        case line(String)
        case interrupted
        case end
    }

    /// The name and version of readline.
    nonisolated static var version: String { "readline " + String(cString: shell_line_version()) }

    private static var active: LineEditor?

    /// The messages to show above the line.
    let messages = MessagePipe()
    private let interrupts: Interrupts
    private let complete: (_ line: String, _ cursor: Int, _ history: [String]) -> Completion
    private let list: ([Candidate]) -> String
    /// The hint to show in grey after the line; nil on a terminal without colours.
    private let hint: ((String) -> String?)?
    private var showsHint = false
    private var promptWidth = 0
    private var event: Event?
    /// The lines that the arrow keys find, oldest first.
    private var remembered: [String] = []

    /// Takes control of the keyboard.
    ///
    /// - Parameters:
    ///   - complete: Returns the effect of Tab.
    ///   - list: Formats the candidates.
    ///   - hint: Returns the hint after a line.
    init(
        name: String,
        interrupts: Interrupts,
        complete: @escaping (_ line: String, _ cursor: Int, _ history: [String]) -> Completion,
        list: @escaping ([Candidate]) -> String,
        hint: ((String) -> String?)? = nil
    ) {
        self.interrupts = interrupts
        self.complete = complete
        self.list = list
        self.hint = hint
        Self.active = self
        interrupts.openPrompt()
        shell_line_prepare(name) { _, _ in MainActor.assumeIsolated { LineEditor.active?.tab() ?? 0 } }
    }

    /// Replaces the lines that the arrow keys find.
    func remember(_ history: HistoryList) {
        remembered = history.lines
        clear_history()
        for line in history.lines { add_history(line) }
    }

    /// Shows the prompt and waits for a complete line.
    func read(prompt: String) -> Event {
        event = nil
        let prompt = VisibleText.line(prompt)
        promptWidth = DisplayWidth.of(prompt)
        interrupts.drainPrompt()
        rl_callback_handler_install(prompt) { line in
            let text = line.map { String(cString: $0) }
            free(line)
            MainActor.assumeIsolated { LineEditor.active?.finish(text) }
        }
        while event == nil { wait() }
        return event ?? .end
    }

    private func wait() {
        var ends = [
            pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
            pollfd(fd: interrupts.promptReadEnd, events: Int16(POLLIN), revents: 0),
            // `poll` ignores negative descriptors.
            pollfd(fd: messages?.readEnd ?? -1, events: Int16(POLLIN), revents: 0),
        ]
        guard poll(&ends, nfds_t(ends.count), -1) > 0 else {
            hideHint()
            if errno == EINTR { rl_resize_terminal() } else { finish(nil) }
            return
        }
        hideHint()
        if ends[1].revents != 0 {
            interrupts.drainPrompt()
            shell_line_leave_marked()
            rl_callback_handler_remove()
            event = .interrupted
        } else if ends[2].revents != 0 {
            showMessages()
        } else if ends[0].revents != 0 {
            rl_callback_read_char()
        }
        if event == nil { showHint() }
    }

    /// Prints the waiting messages in place of the line, and redraws the line below them.
    private func showMessages() {
        let lines = messages?.take() ?? []
        if lines.isEmpty { return }
        shell_line_clear()
        // If the terminal is closed, the next read ends the shell.
        try? StandardOutput.write(lines.map { VisibleText.indented($0) + "\n" }.joined())
        shell_line_show_again()
    }

    /// Shows the remaining arguments after the line if there is room, and moves the cursor back.
    private func showHint() {
        let line = String(cString: shell_line_text())
        guard let hint, !line.isEmpty, Int(shell_line_cursor()) == line.utf8.count, let text = hint(line)
        else {
            return
        }
        let room = TerminalSize.current.columns - promptWidth - DisplayWidth.of(line) - 1
        let shown = DisplayWidth.fitted(text, to: max(room, 0))
        guard room > 0, !shown.isEmpty else { return }
        let back = "\u{1B}[\(DisplayWidth.of(shown))D"
        try? StandardOutput.control("\u{1B}[2m\(shown)\u{1B}[0m\(back)")
        showsHint = true
    }

    private func hideHint() {
        if showsHint { try? StandardOutput.control("\u{1B}[K") }
        showsHint = false
    }

    private func finish(_ line: String?) {
        rl_callback_handler_remove()
        event = line.map(Event.line) ?? .end
    }

    private func tab() -> Int32 {
        let bytes = Array(String(cString: shell_line_text()).utf8)
        let line = String(decoding: bytes, as: UTF8.self)
        let cursor = String(decoding: bytes.prefix(Int(shell_line_cursor())), as: UTF8.self).count
        let completion = complete(line, cursor, remembered)
        if let insertion = completion.insertion {
            let start = String(line.prefix(completion.range.lowerBound)).utf8.count
            let end = String(line.prefix(completion.range.upperBound)).utf8.count
            shell_line_replace(Int32(start), Int32(end), insertion)
        } else if completion.candidates.isEmpty {
            rl_ding()
        } else {
            shell_line_leave()
            try? StandardOutput.write(list(completion.candidates))
            shell_line_show_again()
        }
        return 0
    }
}
