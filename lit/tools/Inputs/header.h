#ifndef HEADER_H
#define HEADER_H
enum { Answer = 42 };
#endif
