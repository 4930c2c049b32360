//===- Tables.cpp - The report for people ---------------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../gpu/DeviceTable.h"
#include "Results.h"
#include <algorithm>
#include <cstdio>

using namespace ferry::sim;

/// 1234567 as "1,234,567".
static std::string grouped(uint64_t Number) {
  std::string Text = std::to_string(Number);
  for (size_t I = Text.size(); I > 3; I -= 3)
    Text.insert(I - 3, ",");
  return Text;
}

static std::string hexadecimal(uint64_t Number) {
  char Text[24];
  std::snprintf(Text, sizeof(Text), "0x%llx",
                static_cast<unsigned long long>(Number));
  return Text;
}

/// "8 x 4 x 1" without the ones at the end.
static std::string dimensions(const uint32_t Sizes[3]) {
  std::string Text = std::to_string(Sizes[0]);
  if (Sizes[1] != 1 || Sizes[2] != 1)
    Text += " x " + std::to_string(Sizes[1]);
  if (Sizes[2] != 1)
    Text += " x " + std::to_string(Sizes[2]);
  return Text;
}

static std::string ratio(uint64_t Number, uint64_t Least) {
  if (!Least)
    return "";
  char Text[32];
  std::snprintf(Text, sizeof(Text), "%.2f",
                static_cast<double>(Number) / static_cast<double>(Least));
  return Text;
}

static std::string place(const std::string &File, uint32_t Line,
                         uint32_t Column = 0) {
  if (File.empty())
    return "(no line)";
  std::string Text = File;
  if (Line)
    Text += ":" + std::to_string(Line);
  if (Line && Column)
    Text += ":" + std::to_string(Column);
  return Text;
}

namespace {
/// Rows of cells: the first to the left, the others to the right.
class TextTable {
public:
  using Row = std::vector<std::string>;
  void add(Row Cells) { Rows.push_back(std::move(Cells)); }
  /// \p LeftCells are set to the left.
  std::string print(size_t LeftCells = 1) const {
    std::vector<size_t> Widths;
    for (const Row &Cells : Rows) {
      Widths.resize(std::max(Widths.size(), Cells.size()));
      for (size_t I = 0; I < Cells.size(); ++I)
        Widths[I] = std::max(Widths[I], Cells[I].size());
    }
    std::string Text;
    for (const Row &Cells : Rows) {
      for (size_t I = 0; I < Cells.size(); ++I) {
        std::string Fill(Widths[I] - Cells[I].size(), ' ');
        Text += "  " + (I < LeftCells ? Cells[I] + Fill : Fill + Cells[I]);
      }
      Text.erase(Text.find_last_not_of(' ') + 1);
      Text += "\n";
    }
    return Text;
  }

private:
  std::vector<Row> Rows;
};
} // namespace

/// Copies, allocations and the like. \p All: also those that never happened.
static void addTransfers(TextTable &Table, const Transfers &Host, bool All) {
  auto Add = [&](const char *Name, uint64_t Number, uint64_t Bytes) {
    Table.add({Name, grouped(Number), grouped(Bytes)});
  };
  Table.add({"", "number", "bytes"});
  if (All || Host.ToDeviceCopies)
    Add("copies to the device", Host.ToDeviceCopies, Host.ToDeviceBytes);
  if (All || Host.FromDeviceCopies)
    Add("copies from the device", Host.FromDeviceCopies, Host.FromDeviceBytes);
  if (Host.DeviceCopies)
    Add("copies on the device", Host.DeviceCopies, Host.DeviceBytes);
  if (Host.Memsets)
    Add("memsets", Host.Memsets, Host.MemsetBytes);
  if (All || Host.Allocations)
    Add("allocations", Host.Allocations, Host.AllocatedBytes);
  if (Host.Frees)
    Table.add({"frees", grouped(Host.Frees)});
  if (Host.Synchronizations)
    Table.add({"synchronizations", grouped(Host.Synchronizations)});
}

static void addCounters(TextTable &Table, const Counters &C) {
  Table.add({"", "requests", "sectors", "least", "ratio"});
  Table.add({"global loads", grouped(C.GlobalLoadRequests),
             grouped(C.GlobalLoadSectors), grouped(C.LeastGlobalLoadSectors),
             ratio(C.GlobalLoadSectors, C.LeastGlobalLoadSectors)});
  Table.add({"global stores", grouped(C.GlobalStoreRequests),
             grouped(C.GlobalStoreSectors), grouped(C.LeastGlobalStoreSectors),
             ratio(C.GlobalStoreSectors, C.LeastGlobalStoreSectors)});
  if (C.GlobalAtomics)
    Table.add({"global atomics", grouped(C.GlobalAtomics),
               grouped(C.GlobalAtomicSectors)});
  if (C.LinkRequests) {
    Table.add({"", "requests", "bytes read", "written"});
    Table.add({"host memory", grouped(C.LinkRequests), grouped(C.LinkReadBytes),
               grouped(C.LinkWriteBytes)});
  }
  if (C.SharedLoadRequests || C.SharedStoreRequests || C.SharedAtomics) {
    Table.add({"", "requests", "wavefronts"});
    Table.add({"shared loads", grouped(C.SharedLoadRequests),
               grouped(C.SharedLoadWavefronts)});
    Table.add({"shared stores", grouped(C.SharedStoreRequests),
               grouped(C.SharedStoreWavefronts)});
    if (C.SharedAtomics)
      Table.add({"shared atomics", grouped(C.SharedAtomics)});
    Table.add({"bank conflicts", "", grouped(C.SharedBankConflicts)});
  }
  Table.add({"", "number"});
  Table.add({"barriers", grouped(C.Barriers)});
  Table.add({"branches", grouped(C.Branches)});
  Table.add({"divergent branches", grouped(C.DivergentBranches)});
  Table.add({"thread instructions", grouped(C.ThreadInstructions)});
}

static std::string sampleNote(const KernelResult &Kernel) {
  return Kernel.SampledBlocks
             ? "  extrapolated from " + grouped(Kernel.SampledBlocks) + " of " +
                   grouped(Kernel.Blocks) + " blocks\n"
             : "";
}

/// 0.1234 as "12.3 %".
static std::string percent(double Fraction) {
  char Text[32];
  std::snprintf(Text, sizeof(Text), "%.1f %%", Fraction * 100);
  return Text;
}

/// Three digits of a time, in the unit that suits it.
static std::string duration(double Seconds) {
  char Text[32];
  const char *Unit = "s";
  for (const char *Next : {"ms", "us"})
    if (Seconds < 1) {
      Seconds *= 1000;
      Unit = Next;
    }
  std::snprintf(Text, sizeof(Text), "%.3g %s", Seconds, Unit);
  return Text;
}

/// What the caches did.
static void addCaches(TextTable &Table, const Counters &C) {
  auto HitRate = [](uint64_t Hits, uint64_t All) {
    return All ? percent(static_cast<double>(Hits) / static_cast<double>(All))
               : "";
  };
  Table.add({"", "sectors", "hits", "hit rate", "wavefronts"});
  Table.add({"first level", grouped(C.L1Sectors), grouped(C.L1HitSectors),
             HitRate(C.L1HitSectors, C.L1Sectors), grouped(C.L1Wavefronts)});
  Table.add({"second level, reads", grouped(C.L2ReadSectors),
             grouped(C.L2ReadHitSectors),
             HitRate(C.L2ReadHitSectors, C.L2ReadSectors)});
  Table.add({"second level, writes", grouped(C.L2WriteSectors)});
  Table.add({"", "read", "written"});
  Table.add(
      {"bytes of memory", grouped(C.DramReadBytes), grouped(C.DramWriteBytes)});
  TextTable::Row Names = {""}, Numbers = {"warp instructions"};
  for (unsigned P = 0; P <= NumPipes; ++P) {
    Names.push_back(PipeNames[P]);
    Numbers.push_back(grouped(C.WarpInstructions[P]));
  }
  Table.add(std::move(Names));
  Table.add(std::move(Numbers));
}

/// As "speed of light" of profilers: the limiter first, and each unit's part of
/// what it could do.
static std::string writeTime(Unit Limiter, const TimeEstimate &Time) {
  std::string Text = std::string("  limited by ") + unitName(Limiter) +
                     ": about " + duration(Time.Seconds) + ", from " +
                     duration(Time.Least) + " to " + duration(Time.Most) +
                     "\n   ";
  for (unsigned U = 0; U < NumUnits; ++U)
    if (Time.Busy[U] > 0)
      Text += std::string(" ") + unitName(static_cast<Unit>(U)) + " " +
              percent(Time.Seconds > 0 ? Time.Busy[U] / Time.Seconds : 0) + ",";
  Text.pop_back();
  return Text + "\n";
}

static std::string writeOccupancy(const KernelResult &Kernel) {
  const Occupancy &O = Kernel.Resident;
  return "  occupancy " + percent(double(O.Warps) / O.MostWarps) + ", " +
         grouped(O.Warps) + " of " + grouped(O.MostWarps) +
         " warps, limited by " + limitName(O.Limit) +
         (Kernel.OfMachineCode ? "; " : "; about ") +
         grouped(Kernel.Registers) +
         (Kernel.OfMachineCode ? " registers by ptxas" : " registers") +
         "; first level " + grouped(O.L1Bytes) + " bytes; about " +
         grouped(Kernel.CodeBytes) + " bytes of code\n";
}

static std::string writeKernel(const KernelResult &Kernel, bool Time) {
  std::string Text = "\n" + Kernel.Demangled;
  if (!Kernel.File.empty())
    Text += " (" + place(Kernel.File, Kernel.Line) + ")";
  Text += "\n  launches " + grouped(Kernel.Launches) + ", grid " +
          dimensions(Kernel.Grid) + ", block " + dimensions(Kernel.Block) +
          ", shared memory " + grouped(Kernel.StaticShared) + " + " +
          grouped(Kernel.DynamicShared) + " bytes\n" + sampleNote(Kernel);
  TextTable Table;
  addTransfers(Table, Kernel.Host, true);
  addCounters(Table, Kernel.Device);
  if (!Time)
    return Text + Table.print();
  addCaches(Table, Kernel.Device);
  return Text + Table.print() + writeOccupancy(Kernel) +
         writeTime(Kernel.Time.limiter(), Kernel.Time);
}

static std::string writeTotals(const ProgramResult &Result) {
  const KernelResult &Totals = Result.Totals;
  std::string Text = "\ntotals\n  launches " + grouped(Totals.Launches) +
                     ", blocks " + grouped(Totals.Blocks) + "\n" +
                     sampleNote(Totals);
  TextTable Table;
  addTransfers(Table, Totals.Host, true);
  addCounters(Table, Totals.Device);
  if (Result.Time)
    addCaches(Table, Totals.Device);
  Text += Table.print();
  if (Result.Time) {
    const ProgramTime Time = timeOf(Result);
    Text += writeTime(Time.limiter(), Time.All);
  }
  if (Result.SetUp.ToDeviceCopies || Result.SetUp.FromDeviceCopies) {
    TextTable SetUp;
    addTransfers(SetUp, Result.SetUp, false);
    Text +=
        "\nset-up by the OpenMP runtime, not in the totals\n" + SetUp.print();
  }
  return Text;
}

static std::string writeLines(const ProgramResult &Result) {
  TextTable Table;
  Table.add({"", "", "", "global", "", "", "shared", "", "", "branches"});
  Table.add({"line", "access", "threads", "requests", "sectors", "least",
             "requests", "wavefronts", "conflicts", "all", "divergent"});
  // What an access cannot have stays empty.
  auto Cell = [](uint64_t Number) { return Number ? grouped(Number) : ""; };
  for (const LineResult &Line : Result.Lines) {
    const InstructionCounters &Sum = Line.Sum;
    TextTable::Row Row = {place(Line.File, Line.Line), Line.Access,
                          grouped(Sum.Lanes)};
    if (Line.Access == "branch")
      Row.insert(Row.end(), {"", "", "", "", "", "", grouped(Sum.Requests),
                             grouped(Sum.Divergent)});
    else
      Row.insert(Row.end(),
                 {Cell(Sum.Requests), Cell(Sum.Sectors), Cell(Sum.LeastSectors),
                  Cell(Sum.SharedRequests), Cell(Sum.Wavefronts),
                  Sum.SharedRequests ? grouped(Sum.BankConflicts) : ""});
    Table.add(std::move(Row));
  }
  return std::string("\nsource lines") +
         (Result.SampleBlocks ? ", extrapolated\n" : "\n") + Table.print(2);
}

static std::string writeFinding(const Finding &F, const LambdaPlaces &Lambdas) {
  std::string Text = "  ";
  Text += findingName(F.Kind);
  const std::string Kernel = demangleKernel(F.Kernel, Lambdas);
  Text += ": " + F.Text + "\n    kernel " + Kernel;
  if (F.Where) {
    Text += ", " + place(F.Where->File, F.Where->Line, F.Where->Column);
    std::string Function = demangleKernel(F.Where->Function, Lambdas);
    if (Function != Kernel)
      Text += " in " + Function;
  }
  auto Index = [](const uint32_t I[3]) {
    return "(" + std::to_string(I[0]) + ", " + std::to_string(I[1]) + ", " +
           std::to_string(I[2]) + ")";
  };
  Text += ", block " + Index(F.Block) + ", thread " + Index(F.Thread);
  if (F.Address)
    Text += ", address " + hexadecimal(F.Address);
  if (F.Count > 1)
    Text += ", " + grouped(F.Count) + " times";
  return Text + "\n";
}

/// \p What and their number, then each of \p List.
static std::string writeList(const char *What, const std::vector<Finding> &List,
                             const LambdaPlaces &Lambdas) {
  std::string Text = std::string(What) + ": " +
                     (List.empty() ? "none" : grouped(List.size())) + "\n";
  for (const Finding &F : List)
    Text += writeFinding(F, Lambdas);
  return Text;
}

static std::string writeFindings(const ProgramResult &Result) {
  return writeList("findings", Result.Findings, Result.Lambdas);
}

static std::string writeNotes(const ProgramResult &Result) {
  return Result.Notes.empty()
             ? ""
             : writeList("notes", Result.Notes, Result.Lambdas) + "\n";
}

std::string ferry::sim::writeTables(const ProgramResult &Result) {
  if (Result.Quiet)
    return Result.Findings.empty() ? "" : writeFindings(Result);
  std::string Text = "ferry-sim: ";
  Text += Result.Model->Name;
  Text += " (sm_" + std::to_string(Result.Model->Architecture) + "), simulated";
  if (Result.Devices > 1)
    Text += ", " + std::to_string(Result.Devices) + " devices";
  Text += "\n";
  if (Result.SampleBlocks)
    Text +=
        "note: --sample-blocks leaves blocks out: what the program computes "
        "is not to be used\n";
  for (const KernelResult &Kernel : Result.Kernels)
    Text += writeKernel(Kernel, Result.Time);
  Text += writeTotals(Result);
  if (Result.PerLine)
    Text += writeLines(Result);
  return Text + "\n" + writeNotes(Result) + writeFindings(Result);
}
