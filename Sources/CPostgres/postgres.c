#include "postgres.h"

#include <dlfcn.h>

struct postgres_library postgres_library;

static const char *load_functions(void *library) {
    struct postgres_library found;
#define POSTGRES_LOAD(result, name, parameters, arguments) \
    *(void **)&found.name = dlsym(library, #name); \
    if (found.name == 0) return "it has no function " #name;
    POSTGRES_FUNCTIONS(POSTGRES_LOAD)
#undef POSTGRES_LOAD
    postgres_library = found;
    return 0;
}

const char *postgres_load(const char *const *names) {
    const char *reason = "no name was given";
    for (; *names != 0; names++) {
        void *library = dlopen(*names, RTLD_NOW | RTLD_LOCAL);
        if (library != 0) return load_functions(library);
        reason = dlerror();
    }
    return reason;
}
