// Owns the one include path to GNU readline; readline's headers need FILE before they are read.
#include <stdio.h>
#include <readline/readline.h>
#include <readline/history.h>
