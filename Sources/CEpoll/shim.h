// Gives Swift access to Linux's `epoll`, which waits for many sockets at once; empty on other systems.
#ifndef CLOUDLET_EPOLL_H
#define CLOUDLET_EPOLL_H

#ifdef __linux__
#include <sys/epoll.h>
#endif

#endif
