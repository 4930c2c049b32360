//===- Findings.cpp - What the user is told -------------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A finding is printed when it is made, before the kernel runs, which may end
// the program. The JSON file is written as a whole each time, for the same
// reason; there are few findings.
//
//===----------------------------------------------------------------------===//

#include "Findings.h"
#include "Settings.h"
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>
#include <string_view>
#include <tuple>
#include <unistd.h>

namespace ferry::check {

namespace {

/// What was found, and how often.
struct Told {
  Finding What;
  uint64_t Times;
};

struct State {
  std::mutex Lock;
  std::vector<Told> Findings;
  std::map<std::tuple<const void *, uint64_t, std::string>, size_t> Places;
  bool Failed = false; ///< to write the file
};

} // namespace

static State &state() {
  // Never destroyed: devices are shut down when destructors have run.
  static State &S = *new State;
  return S;
}

static std::string place(const std::string &File, unsigned Line) {
  return Line ? File + ":" + std::to_string(Line) : File;
}

/// What \p F says, as text for people.
static std::string text(const Finding &F) {
  std::string Text = "ferry-check: ";
  if (settings().Rank >= 0)
    Text += "rank " + std::to_string(settings().Rank) + ": ";
  if (F.IsAdvice)
    Text += "advice: ";
  if (!F.File.empty())
    Text += place(F.File, F.Line) + ", ";
  if (!F.Kernel.empty())
    Text += "kernel " + F.Kernel + ", ";
  Text += "device " + std::to_string(F.Device);
  if (F.Launch)
    Text += ", launch " + std::to_string(F.Launch);
  Text += "\n  " + F.Message + "\n";
  if (!F.Nearest.empty())
    Text += "  nearest mapping: " + F.Nearest + "\n";
  if (!F.Hint.empty())
    Text += "  hint: " + F.Hint + "\n";
  return Text;
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

/// Bytes of the UTF-8 character that \p Text begins with; 0 if it is none.
static size_t utf8Length(std::string_view Text) {
  const auto First = static_cast<unsigned char>(Text[0]);
  const size_t Length = First < 0x80   ? 1
                        : First < 0xc2 ? 0
                        : First < 0xe0 ? 2
                        : First < 0xf0 ? 3
                        : First < 0xf5 ? 4
                                       : 0;
  if (Length > Text.size())
    return 0;
  for (size_t I = 1; I < Length; ++I)
    if ((static_cast<unsigned char>(Text[I]) & 0xc0) != 0x80)
      return 0;
  return Length;
}

static std::string quoted(std::string_view Text) {
  std::string Result = "\"";
  while (!Text.empty()) {
    const size_t Length = utf8Length(Text);
    const auto C = static_cast<unsigned char>(Text[0]);
    if (!Length) {
      Result += "\\ufffd";
    } else if (C == '"' || C == '\\') {
      Result += {'\\', Text[0]};
    } else if (C < 0x20) {
      char Escape[8];
      snprintf(Escape, sizeof(Escape), "\\u%04x", C);
      Result += Escape;
    } else {
      Result += Text.substr(0, Length);
    }
    Text.remove_prefix(Length ? Length : 1);
  }
  return Result + "\"";
}

static std::string json(const Told &T) {
  const Finding &F = T.What;
  std::string Text;
  auto Add = [&](std::string_view Key, const std::string &Value) {
    Text += Text.empty() ? "\n    {" : ", ";
    Text += quoted(Key) + ": " + Value;
  };
  auto AddText = [&](std::string_view Key, const std::string &Value) {
    if (!Value.empty())
      Add(Key, quoted(Value));
  };
  Add("kind", quoted(F.Kind));
  Add("severity", F.IsAdvice ? "\"advice\"" : "\"error\"");
  AddText("file", F.File);
  if (F.Line)
    Add("line", std::to_string(F.Line));
  AddText("kernel", F.Kernel);
  Add("device", std::to_string(F.Device));
  if (F.Launch)
    Add("launch", std::to_string(F.Launch));
  AddText("pointer", F.Pointer);
  AddText("used_file", F.UsedFile);
  if (F.UsedLine)
    Add("used_line", std::to_string(F.UsedLine));
  AddText("message", F.Message);
  AddText("nearest", F.Nearest);
  AddText("hint", F.Hint);
  for (const auto &[Key, Value] : F.Numbers)
    Add(Key, std::to_string(static_cast<int64_t>(Value)));
  Add("times", std::to_string(T.Times));
  return Text + "}";
}

/// Writes the file, all of it or nothing. The lock is held.
static void writeFile(State &S) {
  const std::string &File = settings().File;
  if (File.empty() || S.Failed)
    return;
  std::string Text =
      "{\"ferry_check\": 1, \"process\": " + std::to_string(getpid()) +
      ", \"rank\": " + std::to_string(settings().Rank) + ", \"findings\": [";
  for (size_t I = 0; I < S.Findings.size(); ++I)
    Text += (I ? "," : "") + json(S.Findings[I]);
  Text += S.Findings.empty() ? "]}\n" : "\n]}\n";
  const std::string New = File + "." + std::to_string(getpid()) + ".new";
  FILE *Out = fopen(New.c_str(), "w");
  bool Good = Out && fwrite(Text.data(), 1, Text.size(), Out) == Text.size();
  if (Out)
    Good &= fclose(Out) == 0;
  if (Good && rename(New.c_str(), File.c_str()) == 0)
    return;
  S.Failed = true;
  fprintf(stderr, "ferry-check: error: cannot write %s: %s\n", File.c_str(),
          strerror(errno));
  if (Out)
    unlink(New.c_str());
}

//===----------------------------------------------------------------------===//
// Telling
//===----------------------------------------------------------------------===//

void tell(const Finding &F, std::pair<const void *, uint64_t> Place) {
  State &S = state();
  std::lock_guard Guard(S.Lock);
  auto [It, New] = S.Places.try_emplace({Place.first, Place.second, F.Kind},
                                        S.Findings.size());
  if (!New) {
    ++S.Findings[It->second].Times;
    return;
  }
  S.Findings.push_back({F, 1});
  const std::string Text = text(F);
  fwrite(Text.data(), 1, Text.size(), stderr);
  writeFile(S);
}

bool finish() {
  State &S = state();
  std::lock_guard Guard(S.Lock);
  writeFile(S);
  for (const Told &T : S.Findings)
    if (!T.What.IsAdvice)
      return true;
  return false;
}

} // namespace ferry::check
