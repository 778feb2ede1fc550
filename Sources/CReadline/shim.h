// Gives Swift access to GNU readline. Swift cannot use C's global variables safely, so each one that is
// needed has a small function here.
#ifndef COMMAND_SHELL_READLINE_H
#define COMMAND_SHELL_READLINE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <readline/readline.h>
#include <readline/history.h>

// Leaves signals to the shell, and binds Tab to `complete`.
static inline void shell_line_prepare(const char *name, int (*complete)(int, int)) {
    // Never freed: readline compares it with `$if` lines of its settings file as long as the process runs.
    rl_readline_name = strdup(name);
    rl_catch_signals = 0;
    rl_catch_sigwinch = 0;
    rl_initialize();
    rl_bind_key('\t', complete);
}

static inline const char *shell_line_text(void) { return rl_line_buffer; }

static inline int shell_line_cursor(void) { return rl_point; }

static inline void shell_line_replace(int start, int end, const char *text) {
    rl_begin_undo_group();
    rl_delete_text(start, end);
    rl_point = start;
    rl_insert_text(text);
    rl_end_undo_group();
}

// Ends the visible line, so that other text can be written below it before the line is shown again.
static inline void shell_line_leave(void) {
    rl_crlf();
    fflush(rl_outstream);
}

// Erases the visible line, so that other text can be written in its place.
static inline void shell_line_clear(void) {
    rl_clear_visible_line();
    fflush(rl_outstream);
}

static inline void shell_line_show_again(void) {
    rl_on_new_line();
    rl_redisplay();
}

// Ends a line that Ctrl-C cancelled, with `^C` behind it, and a search in progress.
static inline void shell_line_leave_marked(void) {
    fputs("^C\n", rl_outstream);
    fflush(rl_outstream);
    if (RL_ISSTATE(RL_STATE_ISEARCH | RL_STATE_NSEARCH)) rl_restore_prompt();
    rl_free_line_state();
    // `rl_callback_sigcleanup` does nothing unless readline is in callback mode.
    RL_SETSTATE(RL_STATE_CALLBACK);
    rl_callback_sigcleanup();
    RL_UNSETSTATE(RL_STATE_CALLBACK);
    rl_replace_line("", 1);
}

static inline const char *shell_line_version(void) { return rl_library_version; }

#endif
