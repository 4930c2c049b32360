//===- GPUFile.cpp - Descriptions of GPUs that users write ----------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GPUFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;
using namespace ferry::sim;

/// What \p Value is, for messages.
static std::string kindOf(const json::Value &Value) {
  switch (Value.kind()) {
  case json::Value::Null:
    return "null";
  case json::Value::Boolean:
    return "a truth value";
  case json::Value::Number:
    return "a number";
  case json::Value::String:
    return "a text";
  case json::Value::Array:
    return "a list";
  case json::Value::Object:
    return "an object";
  }
  llvm_unreachable("a kind of JSON value that there is not");
}

static std::string knownKeys() {
  std::string Keys = "name, architecture";
  for (const Figure *F = Figures; F->Key; ++F)
    Keys += std::string(", ") + F->Key;
  return Keys + ", sources";
}

static std::string setFigures(const json::Object &Keys,
                              const std::string &Prefix, DeviceModel &Model);

/// Sets what \p Key tells. A sentence if it cannot be.
static std::string setKey(const std::string &Key, const json::Value &Value,
                          DeviceModel &Model) {
  const std::string Quoted = "'" + Key + "'";
  if (Key == "sources")
    return "";
  if (Key == "name" || Key == "architecture") {
    auto Text = Value.getAsString();
    if (!Text || Text->empty() || Text->contains('\n'))
      return Quoted + " is " + kindOf(Value) + "; a line of text is needed";
    if (Key == "name")
      Model.Name = Text->str();
    return "";
  }
  if (Key == "latency_clocks") {
    const json::Object *Nested = Value.getAsObject();
    if (!Nested)
      return Quoted + " is " + kindOf(Value) +
             R"(; needed is an object of "l1", "l2", "dram", "shared")";
    return setFigures(*Nested, Key + ".", Model);
  }
  const Figure *F = findFigure(Key);
  if (!F)
    return "there is no key " + Quoted + "; known are " + knownKeys();
  auto Number = Value.getAsNumber();
  if (!Number)
    return Quoted + " is " + kindOf(Value) + "; a number is needed";
  Model.*F->Value = *Number;
  return "";
}

static std::string setFigures(const json::Object &Keys,
                              const std::string &Prefix, DeviceModel &Model) {
  for (const auto &[Key, Value] : Keys) {
    std::string Why = setKey(Prefix + Key.str(), Value, Model);
    if (!Why.empty())
      return Why;
  }
  return "";
}

/// Whether \p Text has more levels than a parser can follow. A description has
/// two.
static bool isTooDeep(StringRef Text) {
  constexpr int MostLevels = 100;
  int Level = 0;
  for (char C : Text) {
    Level += C == '[' || C == '{';
    Level -= C == ']' || C == '}';
    if (Level > MostLevels)
      return true;
  }
  return false;
}

/// Why the file \p Name is not read; empty if it is.
static std::string whyNotRead(const std::string &Name) {
  constexpr uint64_t MostBytes = 1 << 20;
  sys::fs::file_status Status;
  if (sys::fs::status(Name, Status))
    return ""; // told when it is opened
  if (Status.type() == sys::fs::file_type::character_file)
    return "it is a device";
  return Status.getSize() > MostBytes ? "it has more than a million bytes" : "";
}

/// What the description at the begin of \p Text makes of \p Model, a sentence
/// if it makes no sense.
static std::string readDescription(StringRef Text, DeviceModel &Model) {
  if (isTooDeep(Text))
    return "it is no description: too many brackets are open";
  Expected<json::Value> Parsed = json::parse(Text);
  if (!Parsed)
    return "it is no JSON: " + toString(Parsed.takeError());
  const json::Object *Keys = Parsed->getAsObject();
  if (!Keys)
    return "it is " + kindOf(*Parsed) + "; needed is an object";
  auto Architecture = Keys->getString("architecture");
  if (!Architecture)
    return R"('architecture' is missing; a text like "sm_90" is needed)";
  const DeviceModel *Base =
      findDeviceModel(parseArchitecture(Architecture->str().c_str()));
  if (!Base)
    return "'architecture' is '" + Architecture->str() + "'; known are " +
           knownArchitectures();
  Model = *Base;
  std::string Why = setFigures(*Keys, "", Model);
  return Why.empty() ? whyNoModel(Model) : Why;
}

bool ferry::sim::findGPU(const std::string &NameOrFile, DeviceModel &Model,
                         std::string &Error) {
  if (const DeviceModel *Known =
          findDeviceModel(std::string_view(NameOrFile))) {
    Model = *Known;
    return true;
  }
  std::string Why = whyNotRead(NameOrFile);
  if (!Why.empty()) {
    Error = "the GPU description '" + NameOrFile + "': " + Why;
    return false;
  }
  auto File = MemoryBuffer::getFile(NameOrFile);
  if (!File) {
    Error = "there is no GPU '" + NameOrFile + "': known are " +
            knownDevices() + ", and as a file it cannot be read (" +
            File.getError().message() + ")";
    return false;
  }
  Why = readDescription((*File)->getBuffer(), Model);
  if (!Why.empty())
    Error = "the GPU description '" + NameOrFile + "': " + Why;
  return Why.empty();
}
