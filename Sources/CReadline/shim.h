// Owns the few doors from Swift to GNU readline; Swift cannot reach C's global variables safely, so each one
// that is needed has a small function here.
#ifndef COMMAND_SHELL_READLINE_H
#define COMMAND_SHELL_READLINE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <readline/readline.h>
#include <readline/history.h>

// Signals are the shell's own business; Tab is too.
static inline void shell_line_prepare(const char *name, int (*complete)(int, int)) {
    // Kept as long as the process lives: settings for one program name it.
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

// Leaves what is shown of the line, so that something can be written below it and the line be shown again.
static inline void shell_line_leave(void) {
    rl_crlf();
    fflush(rl_outstream);
}

// Takes what is shown of the line off the screen, so that something can be written in its place.
static inline void shell_line_clear(void) {
    rl_clear_visible_line();
    fflush(rl_outstream);
}

static inline void shell_line_show_again(void) {
    rl_on_new_line();
    rl_redisplay();
}

// Leaves a line that Ctrl-C gave up, with the usual mark behind it, and a search that was under way.
static inline void shell_line_leave_marked(void) {
    fputs("^C\n", rl_outstream);
    fflush(rl_outstream);
    if (RL_ISSTATE(RL_STATE_ISEARCH | RL_STATE_NSEARCH)) rl_restore_prompt();
    rl_free_line_state();
    // It cleans up only what it takes to be interrupted while it reads.
    RL_SETSTATE(RL_STATE_CALLBACK);
    rl_callback_sigcleanup();
    RL_UNSETSTATE(RL_STATE_CALLBACK);
    rl_replace_line("", 1);
}

static inline const char *shell_line_version(void) { return rl_library_version; }

#endif
