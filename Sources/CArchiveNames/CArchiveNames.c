#include "CArchiveNames.h"

/* In the module Cloudlet. */
extern void cloudlet_name_archived_classes(void);

/* An unarchiver looks classes up by the names in the archive. Those of CloudKit's own archives must be known
   before the first of them is read, and Swift has no code that runs before main. */
__attribute__((constructor)) static void cloudlet_loaded(void) {
    cloudlet_name_archived_classes();
}
