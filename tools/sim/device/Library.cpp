//===- Library.cpp - The C library of device code -------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What CUDA gives device code besides mathematics. Functions of the C library
// that it does not give (strlen, ...) are not here: a program that calls them
// does not link for a GPU either.
//
//===----------------------------------------------------------------------===//

#include "Device.h"

#include <cstddef>
#include <cstdio>
#include <cstring>
#include <string>

// --- vprintf -----------------------------------------------------------------

namespace {

/// The arguments of one call, each at its natural alignment.
class Arguments {
public:
  explicit Arguments(const void *Buffer)
      : Buffer(static_cast<const char *>(Buffer)) {}

  template <typename T> T next() {
    Offset = (Offset + sizeof(T) - 1) / sizeof(T) * sizeof(T);
    T Value;
    std::memcpy(static_cast<void *>(&Value), Buffer + Offset, sizeof(T));
    Offset += sizeof(T);
    ++Count;
    return Value;
  }
  int count() const { return Count; }

private:
  const char *Buffer;
  size_t Offset = 0;
  int Count = 0;
};

/// One conversion specification: %[flags][width][.precision][length]conversion.
struct Specification {
  std::string Text;   ///< without length and conversion; stars are numbers
  std::string Length; ///< "", hh, h, l, ll, j, z, t, L
  char Conversion = 0;
  const char *End = nullptr; ///< behind it
};

/// What is to be done with a conversion.
enum class Argument { None, Int, Long, Double, String, Pointer, Skipped };

} // namespace

template <typename T>
static void append(std::string &Output, const std::string &Format, T Value) {
  int Length = std::snprintf(nullptr, 0, Format.c_str(), Value);
  if (Length < 0)
    return;
  size_t Begin = Output.size();
  Output.resize(Begin + Length + 1);
  std::snprintf(&Output[Begin], Length + 1, Format.c_str(), Value);
  Output.resize(Begin + Length);
}

/// Reads a number or, for a star, an argument. A width below zero asks for left
/// alignment and a precision below zero for none, as the C library has it.
static const char *parseNumber(const char *P, std::string &Text,
                               Arguments &Args) {
  if (*P == '*') {
    Text += std::to_string(Args.next<int32_t>());
    return P + 1;
  }
  while (*P >= '0' && *P <= '9')
    Text += *P++;
  return P;
}

static Specification parse(const char *P, Arguments &Args) {
  Specification S;
  S.Text = *P++;
  while (*P && std::strchr("-+ #0", *P))
    S.Text += *P++;
  P = parseNumber(P, S.Text, Args);
  if (*P == '.') {
    std::string Precision;
    P = parseNumber(P + 1, Precision, Args);
    if (Precision.empty() || Precision[0] != '-')
      S.Text += '.' + Precision;
  }
  while (*P && std::strchr("hljztL", *P))
    S.Length += *P++;
  S.Conversion = *P;
  S.End = *P ? P + 1 : P;
  return S;
}

static Argument classify(const Specification &S) {
  bool Long = S.Length == "l" || S.Length == "ll" || S.Length == "j" ||
              S.Length == "z" || S.Length == "t";
  bool Short = S.Length == "h" || S.Length == "hh";
  switch (S.Conversion) {
  case 'd':
  case 'i':
  case 'u':
  case 'o':
  case 'x':
  case 'X':
    return Long                        ? Argument::Long
           : Short || S.Length.empty() ? Argument::Int
                                       : Argument::None;
  case 'c':
    return S.Length.empty() ? Argument::Int : Argument::None;
  case 'f':
  case 'F':
  case 'e':
  case 'E':
  case 'g':
  case 'G':
  case 'a':
  case 'A':
    return S.Length.empty() || S.Length == "l" ? Argument::Double
                                               : Argument::None;
  case 's':
    return S.Length.empty() ? Argument::String : Argument::None;
  case 'p':
    return S.Length.empty() ? Argument::Pointer : Argument::None;
  case 'n':
    return Argument::Skipped;
  default:
    return Argument::None;
  }
}

/// Appends one conversion and returns what follows it in the format.
static const char *convert(const char *Begin, Arguments &Args,
                           std::string &Output) {
  if (Begin[1] == '%') {
    Output += '%';
    return Begin + 2;
  }
  Specification S = parse(Begin, Args);
  std::string Format = S.Text + S.Length + S.Conversion;
  switch (classify(S)) {
  case Argument::Int:
    append(Output, Format, Args.next<int32_t>());
    return S.End;
  case Argument::Long:
    append(Output, Format, Args.next<int64_t>());
    return S.End;
  case Argument::Double:
    append(Output, Format, Args.next<double>());
    return S.End;
  case Argument::String: {
    const char *String = Args.next<const char *>();
    append(Output, Format, String ? String : "(null)");
    return S.End;
  }
  case Argument::Pointer:
    append(Output, Format, Args.next<const void *>());
    return S.End;
  case Argument::Skipped:
    Args.next<const void *>();
    break;
  case Argument::None:
    // The size of a long double's argument depends on the host's compiler, so
    // nothing behind it can be found.
    if (S.Length == "L")
      S.End = Begin + std::strlen(Begin);
    break;
  }
  Output.append(Begin, S.End);
  return S.End;
}

/// Conversions that are not known are printed as they are. Returns the number
/// of arguments, as CUDA does; -1 without a format.
FERRY_SIM_DEVICE int32_t ferry_sim_vprintf(const char *Format,
                                           const void *Buffer) {
  if (!Format)
    return -1;
  Arguments Args(Buffer);
  std::string Output;
  for (const char *P = Format; *P;) {
    if (*P == '%') {
      P = convert(P, Args, Output);
      continue;
    }
    size_t Plain = std::strcspn(P, "%");
    Output.append(P, Plain);
    P += Plain;
  }
  // One call, which holds the stream's lock: lines of other threads, of the
  // host's too, do not come in between.
  std::fwrite(Output.data(), 1, Output.size(), stdout);
  return Args.count();
}

// --- Memory ------------------------------------------------------------------

FERRY_SIM_DEVICE void *ferry_sim_malloc(uint64_t Bytes) {
  return ferry_sim_device_malloc(Bytes);
}

FERRY_SIM_DEVICE void ferry_sim_free(void *Pointer) {
  ferry_sim_device_free(Pointer);
}

// --- Assertions --------------------------------------------------------------

/// CUDA's assert; OpenMP's is part of the device runtime.
FERRY_SIM_DEVICE void ferry_sim___assertfail(const char *Message,
                                             const char *File, uint32_t Line,
                                             const char *Function,
                                             uint64_t /*CharBytes*/) {
  std::string What = std::string(File ? File : "?") + ":" +
                     std::to_string(Line) + ": " + (Function ? Function : "?") +
                     ": Assertion `" + (Message ? Message : "?") + "' failed.";
  ferry_sim_trap_with(What.c_str());
}
