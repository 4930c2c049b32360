//===- JsonReport.cpp - The report for programs ---------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../gpu/DeviceTable.h"
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

static void writeCounters(JsonWriter &Json, const KernelResult &Kernel,
                          bool Time) {
  for (const CounterColumn *Column = CounterColumns; Column->Name; ++Column)
    if (Time || !Column->NeedsTime)
      Json.number(Column->Name, Column->Value(Kernel));
  if (!Time)
    return;
  Json.beginObject("warp_instructions");
  for (unsigned P = 0; P <= NumPipes; ++P)
    Json.number(PipeNames[P], Kernel.Device.WarpInstructions[P]);
  Json.endObject();
}

/// What each unit needs, as a fraction of the time, and the time's range.
static void writeUnits(JsonWriter &Json, const TimeEstimate &Time) {
  Json.beginObject("units");
  for (unsigned U = 0; U < NumUnits; ++U)
    if (U != LinkUnit || Time.Busy[U] > 0)
      Json.real(unitName(static_cast<Unit>(U)),
                Time.Seconds > 0 ? Time.Busy[U] / Time.Seconds : 0);
  Json.endObject();
  Json.beginArray("range");
  Json.real({}, Time.Least);
  Json.real({}, Time.Most);
  Json.endArray();
}

static void writeTime(JsonWriter &Json, const TimeEstimate &Time) {
  Json.beginObject("time");
  Json.real("seconds", Time.Seconds);
  Json.string("limiter", unitName(Time.limiter()));
  writeUnits(Json, Time);
  Json.endObject();
}

static void writeTime(JsonWriter &Json, const ProgramTime &Time) {
  Json.beginObject("time");
  Json.real("seconds", Time.All.Seconds);
  Json.real("kernel_seconds", Time.Kernels.Seconds);
  Json.real("h2d_seconds", Time.ToDevice);
  Json.real("d2h_seconds", Time.FromDevice);
  Json.string("limiter", unitName(Time.limiter()));
  writeUnits(Json, Time.All);
  Json.endObject();
}

static void writeOccupancy(JsonWriter &Json, const KernelResult &Kernel) {
  const Occupancy &Resident = Kernel.Resident;
  Json.real("occupancy", double(Resident.Warps) / Resident.MostWarps);
  Json.string("occupancy_limit", limitName(Resident.Limit));
  Json.number("resident_warps", Resident.Warps);
  Json.number("registers", Kernel.Registers);
  Json.string("registers_from", Kernel.OfMachineCode ? "ptxas" : "estimate");
  Json.number("l1_bytes", Resident.L1Bytes);
  Json.number("code_bytes", Kernel.CodeBytes);
}

static void writeKernel(JsonWriter &Json, const KernelResult &Kernel,
                        bool Time) {
  Json.beginObject();
  Json.string("name", Kernel.Name);
  Json.string("demangled", Kernel.Demangled);
  Json.string("file", Kernel.File);
  Json.number("line", Kernel.Line);
  Json.triple("grid", Kernel.Grid);
  Json.triple("block", Kernel.Block);
  Json.number("static_shared_bytes", Kernel.StaticShared);
  Json.number("dynamic_shared_bytes", Kernel.DynamicShared);
  if (Kernel.SampledBlocks)
    Json.number("sampled_blocks", Kernel.SampledBlocks);
  writeCounters(Json, Kernel, Time);
  if (Time) {
    writeOccupancy(Json, Kernel);
    writeTime(Json, Kernel.Time);
  }
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

static void writeLine(JsonWriter &Json, const LineResult &Line, bool Time) {
  const InstructionCounters &Sum = Line.Sum;
  Json.beginObject();
  Json.string("file", Line.File);
  Json.number("line", Line.Line);
  Json.string("access", Line.Access);
  Json.beginArray("kernels");
  for (const std::string &Kernel : Line.Kernels)
    Json.string({}, Kernel);
  Json.endArray();
  Json.number("threads", Sum.Lanes);
  if (Line.Access == "branch") {
    Json.number("branches", Sum.Requests);
    Json.number("divergent_branches", Sum.Divergent);
  } else {
    Json.number("global_requests", Sum.Requests);
    Json.number("global_sectors", Sum.Sectors);
    Json.number("least_global_sectors", Sum.LeastSectors);
    Json.number("link_requests", Sum.LinkRequests);
    Json.number("link_sectors", Sum.LinkSectors);
    if (Time) {
      Json.number("l1_wavefronts", Sum.L1Wavefronts);
      Json.number("l1_sectors", Sum.L1Sectors);
      Json.number("l1_hit_sectors", Sum.L1HitSectors);
    }
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
  if (Result.SampleBlocks)
    Json.number("sample_blocks", Result.SampleBlocks);
  Json.beginObject("totals");
  writeCounters(Json, Result.Totals, Result.Time);
  Json.endObject();
  if (Result.Time)
    writeTime(Json, timeOf(Result));
  Json.beginArray("kernels");
  for (const KernelResult &Kernel : Result.Kernels)
    writeKernel(Json, Kernel, Result.Time);
  Json.endArray();
  Json.beginArray("findings");
  for (const Finding &F : Result.Findings)
    writeFinding(Json, F, Result.Lambdas);
  Json.endArray();
  Json.beginArray("notes");
  for (const Finding &F : Result.Notes)
    writeFinding(Json, F, Result.Lambdas);
  Json.endArray();
  writeSetUp(Json, Result.SetUp);
  if (Result.PerLine) {
    Json.beginArray("lines");
    for (const LineResult &Line : Result.Lines)
      writeLine(Json, Line, Result.Time);
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
