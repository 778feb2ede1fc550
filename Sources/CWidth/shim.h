// Gives Swift access to `wcwidth`, the width of a character in a terminal.
#ifndef CLOUDLET_WIDTH_H
#define CLOUDLET_WIDTH_H

#include <wchar.h>

// Declared here, because <wchar.h> declares it only for programs that are compiled with _XOPEN_SOURCE.
int wcwidth(wchar_t character);

#endif
