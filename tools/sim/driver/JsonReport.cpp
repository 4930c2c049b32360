//===- JsonReport.cpp - The report for programs ---------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceTable.h"
#include "JsonWriter.h"
#include "Results.h"
#include <cstdio>

using namespace ferry::sim;

static void writeDevice(JsonWriter &Json, const ProgramResult &Result) {
  const DeviceModel &Model = *Result.Model;
  Json.beginObject("device");
  Json.string("name", Model.Name);
  Json.string("architecture", "sm_" + std::to_string(Model.Architecture));
  Json.number("multiprocessors", Model.multiprocessors());
  Json.number("devices", Result.Devices);
  Json.endObject();
}

static void writeCounters(JsonWriter &Json, const KernelResult &Kernel) {
  for (const CounterColumn *Column = CounterColumns; Column->Name; ++Column)
    Json.number(Column->Name, Column->Value(Kernel));
}

static void writeKernel(JsonWriter &Json, const KernelResult &Kernel) {
  Json.beginObject();
  Json.string("name", Kernel.Name);
  Json.string("demangled", Kernel.Demangled);
  Json.string("file", Kernel.File);
  Json.number("line", Kernel.Line);
  Json.triple("grid", Kernel.Grid);
  Json.triple("block", Kernel.Block);
  Json.number("static_shared_bytes", Kernel.StaticShared);
  Json.number("dynamic_shared_bytes", Kernel.DynamicShared);
  writeCounters(Json, Kernel);
  Json.endObject();
}

static void writeSetUp(JsonWriter &Json, const Transfers &SetUp) {
  Json.beginObject("set_up");
  Json.number("h2d_copies", SetUp.ToDeviceCopies);
  Json.number("h2d_bytes", SetUp.ToDeviceBytes);
  Json.number("d2h_copies", SetUp.FromDeviceCopies);
  Json.number("d2h_bytes", SetUp.FromDeviceBytes);
  Json.number("allocations", SetUp.Allocations);
  Json.endObject();
}

static void writeLine(JsonWriter &Json, const LineResult &Line) {
  const InstructionCounters &Sum = Line.Sum;
  Json.beginObject();
  Json.string("file", Line.File);
  Json.number("line", Line.Line);
  Json.string("access", Line.Access);
  Json.number("threads", Sum.Lanes);
  if (Line.Access == "branch") {
    Json.number("branches", Sum.Requests);
    Json.number("divergent_branches", Sum.Divergent);
  } else {
    Json.number("global_requests", Sum.Requests);
    Json.number("global_sectors", Sum.Sectors);
    Json.number("least_global_sectors", Sum.LeastSectors);
    Json.number("shared_requests", Sum.SharedRequests);
    Json.number("shared_wavefronts", Sum.Wavefronts);
    Json.number("shared_bank_conflicts", Sum.BankConflicts);
  }
  Json.endObject();
}

static void writeFinding(JsonWriter &Json, const Finding &F,
                         const LambdaPlaces &Lambdas) {
  Json.beginObject();
  Json.string("kind", findingName(F.Kind));
  Json.string("text", F.Text);
  Json.string("kernel", F.Kernel);
  Json.string("demangled", demangleKernel(F.Kernel, Lambdas));
  Json.string("file", F.Where ? F.Where->File : "");
  Json.number("line", F.Where ? F.Where->Line : 0);
  Json.number("column", F.Where ? F.Where->Column : 0);
  Json.string("function",
              F.Where ? demangleKernel(F.Where->Function, Lambdas) : "");
  Json.triple("block", F.Block);
  Json.triple("thread", F.Thread);
  char Address[24];
  std::snprintf(Address, sizeof(Address), "0x%llx",
                static_cast<unsigned long long>(F.Address));
  Json.string("address", Address);
  Json.number("count", F.Count);
  Json.endObject();
}

std::string ferry::sim::writeJson(const ProgramResult &Result) {
  JsonWriter Json;
  Json.beginObject();
  writeDevice(Json, Result);
  Json.beginObject("totals");
  writeCounters(Json, Result.Totals);
  Json.endObject();
  Json.beginArray("kernels");
  for (const KernelResult &Kernel : Result.Kernels)
    writeKernel(Json, Kernel);
  Json.endArray();
  Json.beginArray("findings");
  for (const Finding &F : Result.Findings)
    writeFinding(Json, F, Result.Lambdas);
  Json.endArray();
  writeSetUp(Json, Result.SetUp);
  if (Result.PerLine) {
    Json.beginArray("lines");
    for (const LineResult &Line : Result.Lines)
      writeLine(Json, Line);
    Json.endArray();
  }
  Json.beginArray("errors");
  for (const std::string &Error : Result.Errors)
    Json.string({}, Error);
  Json.endArray();
  // The only number that differs from run to run.
  Json.seconds("seconds", Result.Totals.Seconds);
  Json.endObject();
  return Json.take();
}
