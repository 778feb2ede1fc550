// Owns the door from Swift to the width of characters.
#ifndef CLOUDLET_WIDTH_H
#define CLOUDLET_WIDTH_H

#include <wchar.h>

// Hidden by <wchar.h> unless the whole program asks for X/Open names.
int wcwidth(wchar_t character);

#endif
