#include "header.h"
#ifdef BROKEN
#error "broken"
#endif
int other() { return Answer; }
