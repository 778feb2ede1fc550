// Owns the door from Swift to Linux's way of waiting for many sockets; empty on other systems.
#ifndef CLOUDLET_EPOLL_H
#define CLOUDLET_EPOLL_H

#ifdef __linux__
#include <sys/epoll.h>
#endif

#endif
