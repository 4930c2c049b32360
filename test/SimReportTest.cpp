//===- SimReportTest.cpp - The reports of ferry-sim -----------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../tools/sim/driver/JsonWriter.h"
#include "../tools/sim/driver/Results.h"
#include "../tools/sim/engine/Findings.h"
#include "../tools/sim/gpu/DeviceTable.h"
#include "llvm/Support/JSON.h"
#include "gtest/gtest.h"
#include <set>

using namespace ferry::sim;
namespace json = llvm::json;

/// A kernel whose counters are all different, and multiples of \p Factor.
static KernelResult makeKernel(const std::string &Name, uint64_t Factor) {
  KernelResult K;
  K.Name = Name;
  K.Demangled = demangleKernel(Name);
  K.File = "app.cpp";
  K.Line = lineOfKernel(Name);
  uint64_t Next = 0;
  auto Number = [&] { return Factor * ++Next; };
  K.Launches = Number();
  K.Blocks = Number();
  K.Block[0] = 32 * static_cast<uint32_t>(Factor);
  K.Block[1] = K.Block[2] = K.Grid[0] = K.Grid[1] = K.Grid[2] = 1;
  K.ThreadsPerBlock = K.Block[0];
#define FERRY_HOST_COUNTER(Member, Name) K.Host.Member = Number();
#define FERRY_COUNTER(Member, Name) K.Device.Member = Number();
#define FERRY_TIME_COUNTER FERRY_COUNTER
#include "../tools/sim/engine/Counters.def"
  for (uint64_t &Instructions : K.Device.WarpInstructions)
    Instructions = Number();
  for (double &Busy : K.Time.Busy)
    Busy = static_cast<double>(Number());
  K.Time.Seconds = K.Time.Least = K.Time.Busy[NumUnits - 1];
  K.Time.Most = 2 * K.Time.Seconds;
  return K;
}

static ProgramResult makeResult() {
  ProgramResult Result;
  Result.Model = findDeviceModel(90);
  Result.Time = true;
  for (const KernelResult &K :
       {makeKernel("__omp_offloading_fe00_a7631c_main_l12", 1),
        makeKernel("__omp_offloading_fe00_a7631c__ZN1A3fooEi_l7", 100)}) {
    addKernel(Result, K);
    Result.Totals.Host += K.Host;
  }
  return Result;
}

static json::Object parse(const std::string &Text) {
  auto Value = json::parse(Text);
  if (!Value) {
    ADD_FAILURE() << llvm::toString(Value.takeError()) << "\n" << Text;
    return {};
  }
  return *Value->getAsObject();
}

/// What the writer makes of \p Text as a value, without the quotes.
static std::string escaped(std::string_view Text) {
  JsonWriter Json;
  Json.beginArray();
  Json.string({}, Text);
  Json.endArray();
  std::string All = Json.take();
  return All.substr(All.find('"') + 1, All.rfind('"') - All.find('"') - 1);
}

// --- JSON --------------------------------------------------------------------

TEST(SimJson, EscapesWhatMustBeEscaped) {
  EXPECT_EQ(escaped("a \"b\" \\c/"), R"(a \"b\" \\c/)");
  EXPECT_EQ(escaped("\n\t\r\x01\x1f"), R"(\n\t\u000d\u0001\u001f)");
  EXPECT_EQ(escaped(std::string_view("\0", 1)), R"(\u0000)");
  EXPECT_EQ(escaped("\x7f"), "\x7f");
}

TEST(SimJson, KeepsCharactersOfEveryLength) {
  for (const char *Text : {"\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x9a\xa2"})
    EXPECT_EQ(escaped(Text), Text);
}

TEST(SimJson, ReplacesBytesThatAreNoText) {
  const std::string Bad = "\xef\xbf\xbd";
  EXPECT_EQ(escaped("\xff"), Bad);
  EXPECT_EQ(escaped("a\x80z"), "a" + Bad + "z");
  EXPECT_EQ(escaped("\xc3"), Bad);                     // cut off
  EXPECT_EQ(escaped("\xc0\xaf"), Bad + Bad);           // longer than needed
  EXPECT_EQ(escaped("\xed\xa0\x80"), Bad + Bad + Bad); // half a pair
  EXPECT_EQ(escaped("\xf4\x90\x80\x80"), Bad + Bad + Bad + Bad);
}

TEST(SimJson, AnyBytesGiveAValidText) {
  std::string Bytes;
  for (unsigned I = 0; I < 65536; ++I) {
    Bytes += static_cast<char>(I >> 8);
    Bytes += static_cast<char>(I);
  }
  JsonWriter Json;
  Json.beginObject();
  Json.string("key " + Bytes, Bytes);
  Json.endObject();
  EXPECT_EQ(parse(Json.take()).size(), 1U);
}

TEST(SimJson, WritesNumbersAndNesting) {
  JsonWriter Json;
  const uint32_t Three[3] = {1, 0, 4294967295};
  Json.beginObject();
  Json.number("most", UINT64_MAX);
  Json.seconds("seconds", 12.034);
  Json.triple("three", Three);
  Json.beginArray("empty");
  Json.endArray();
  Json.beginArray("objects");
  Json.beginObject();
  Json.endObject();
  Json.beginObject();
  Json.number("x", 1);
  Json.endObject();
  Json.endArray();
  Json.endObject();
  std::string Text = Json.take();
  EXPECT_NE(Text.find("18446744073709551615"), std::string::npos) << Text;
  json::Object Object = parse(Text);
  EXPECT_DOUBLE_EQ(*Object.getNumber("seconds"), 12.034);
  EXPECT_EQ((*Object.getArray("three"))[2], 4294967295);
  EXPECT_TRUE(Object.getArray("empty")->empty());
  EXPECT_EQ(Object.getArray("objects")->size(), 2U);
}

// --- The JSON report ---------------------------------------------------------

// Programs depend on these names.
static const char *const PromisedCounters[] = {"launches",
                                               "blocks",
                                               "threads_per_block",
                                               "h2d_copies",
                                               "h2d_bytes",
                                               "d2h_copies",
                                               "d2h_bytes",
                                               "allocations",
                                               "global_load_requests",
                                               "global_load_sectors",
                                               "least_global_load_sectors",
                                               "global_store_requests",
                                               "global_store_sectors",
                                               "shared_load_requests",
                                               "shared_store_requests",
                                               "shared_bank_conflicts",
                                               "global_atomics",
                                               "barriers",
                                               "divergent_branches",
                                               "thread_instructions"};

TEST(SimJsonReport, HasWhatIsPromised) {
  json::Object Report = parse(writeJson(makeResult()));
  EXPECT_EQ(Report.getObject("device")->getString("architecture"), "sm_90");
  ASSERT_EQ(Report.getArray("kernels")->size(), 2U);
  ASSERT_TRUE(Report.getArray("findings"));
  const json::Object *Totals = Report.getObject("totals");
  for (const json::Value &Kernel : *Report.getArray("kernels")) {
    const json::Object &K = *Kernel.getAsObject();
    for (const char *Name : {"name", "demangled", "file"})
      EXPECT_TRUE(K.getString(Name)) << Name;
    EXPECT_TRUE(K.getInteger("line"));
    for (const char *Name : PromisedCounters) {
      EXPECT_TRUE(K.getInteger(Name)) << Name;
      EXPECT_TRUE(Totals->getInteger(Name)) << Name;
    }
  }
}

TEST(SimJsonReport, NoTwoCountersAreOne) {
  ProgramResult Result;
  Result.Model = findDeviceModel(80);
  Result.Time = true;
  addKernel(Result, makeKernel("k", 1));
  json::Object Report = parse(writeJson(Result));
  const json::Object &K = *(*Report.getArray("kernels"))[0].getAsObject();
  std::set<int64_t> Values;
  std::set<std::string> Names;
  for (const CounterColumn *C = CounterColumns; C->Name; ++C) {
    EXPECT_TRUE(Names.insert(C->Name).second) << C->Name;
    if (std::string(C->Name) != "threads_per_block")
      EXPECT_TRUE(Values.insert(*K.getInteger(C->Name)).second) << C->Name;
  }
}

TEST(SimJsonReport, TotalsAreTheSum) {
  json::Object Report = parse(writeJson(makeResult()));
  const json::Object &Totals = *Report.getObject("totals");
  for (const CounterColumn *C = CounterColumns; C->Name; ++C) {
    int64_t Sum = 0, Most = 0;
    for (const json::Value &Kernel : *Report.getArray("kernels")) {
      int64_t Value = *Kernel.getAsObject()->getInteger(C->Name);
      Sum += Value;
      Most = std::max(Most, Value);
    }
    EXPECT_EQ(Totals.getInteger(C->Name),
              std::string(C->Name) == "threads_per_block" ? Most : Sum)
        << C->Name;
  }
}

TEST(SimJsonReport, TimeIsToldAsPartsOfIt) {
  json::Object Report = parse(writeJson(makeResult()));
  const json::Object &Kernel = *(*Report.getArray("kernels"))[0].getAsObject();
  const json::Object &Time = *Kernel.getObject("time");
  const double Seconds = *Time.getNumber("seconds");
  EXPECT_GT(Seconds, 0);
  EXPECT_EQ(Time.getString("limiter"), "link"); // the last has the most
  EXPECT_EQ(Time.getObject("units")->size(), NumUnits);
  EXPECT_EQ(Time.getObject("units")->getNumber("link"), 1.0);
  EXPECT_EQ((*Time.getArray("range"))[0].getAsNumber(), Seconds);
  EXPECT_EQ((*Time.getArray("range"))[1].getAsNumber(), 2 * Seconds);
  // The program's has its copies beside.
  const json::Object &All = *Report.getObject("time");
  EXPECT_NEAR(*All.getNumber("seconds"),
              *All.getNumber("kernel_seconds") + *All.getNumber("h2d_seconds") +
                  *All.getNumber("d2h_seconds"),
              1e-9);
  EXPECT_GT(*All.getNumber("h2d_seconds"), 0);
}

TEST(SimJsonReport, WithoutTimeThereIsNothingOfIt) {
  ProgramResult Result = makeResult();
  Result.Time = false;
  json::Object Report = parse(writeJson(Result));
  const json::Object &Kernel = *(*Report.getArray("kernels"))[0].getAsObject();
  for (const char *Key : {"time", "l1_sectors", "dram_read_bytes", "occupancy",
                          "warp_instructions"})
    EXPECT_FALSE(Kernel.get(Key)) << Key;
  EXPECT_FALSE(Report.get("time"));
  EXPECT_EQ(writeTables(Result).find("limited by"), std::string::npos);
  Result.Time = true;
  EXPECT_NE(writeTables(Result).find("limited by link"), std::string::npos);
}

TEST(SimJsonReport, KernelsOfOneNameAreOne) {
  ProgramResult Result;
  Result.Model = findDeviceModel(90);
  addKernel(Result, makeKernel("k", 1));
  addKernel(Result, makeKernel("other", 1));
  addKernel(Result, makeKernel("k", 10));
  ASSERT_EQ(Result.Kernels.size(), 2U);
  KernelResult One = makeKernel("k", 1);
  EXPECT_EQ(Result.Kernels[0].Launches, 11 * One.Launches);
  EXPECT_EQ(Result.Kernels[0].Host.Frees, 11 * One.Host.Frees);
  EXPECT_EQ(Result.Kernels[0].Device.Barriers, 11 * One.Device.Barriers);
  EXPECT_EQ(Result.Totals.Device.Barriers, 12 * One.Device.Barriers);
}

static Finding makeFinding(const InstructionInfo *Where) {
  Finding F{FindingKind::OutOfBounds,
            "__omp_offloading_1_2_main_l12",
            Where,
            {1, 0, 0},
            {31, 2, 0},
            0xabc,
            "a load of 4 bytes is outside",
            3};
  return F;
}
static const InstructionInfo Load = {
    InstructionKind::Load, 0, 4, 4, 0, 14, 20, "a\"b.cpp", "_Z3fooi"};

TEST(SimJsonReport, NotesAreNoFindings) {
  ProgramResult Result = makeResult();
  Result.Notes = {makeFinding(&Load)};
  Result.Notes[0].Kind = FindingKind::RegionBarrier;
  json::Object Report = parse(writeJson(Result));
  EXPECT_TRUE(Report.getArray("findings")->empty());
  const json::Array &Notes = *Report.getArray("notes");
  ASSERT_EQ(Notes.size(), 1U);
  EXPECT_EQ(Notes[0].getAsObject()->getString("kind"), "region-barrier");
  const std::string Tables = writeTables(Result);
  EXPECT_NE(Tables.find("notes: 1\n  region-barrier: "), std::string::npos);
  EXPECT_NE(Tables.find("findings: none\n"), std::string::npos);
  Result.Quiet = true;
  EXPECT_EQ(writeTables(Result), "");
}

TEST(SimJsonReport, RegistersAreThoseOfMachineCodeOrEstimated) {
  ProgramResult Result = makeResult();
  Result.Kernels[0].Registers = 40;
  Result.Kernels[0].OfMachineCode = true;
  Result.Kernels[1].Registers = 24;
  json::Object Report = parse(writeJson(Result));
  const json::Array &Kernels = *Report.getArray("kernels");
  EXPECT_EQ(Kernels[0].getAsObject()->getString("registers_from"), "ptxas");
  EXPECT_EQ(Kernels[1].getAsObject()->getString("registers_from"), "estimate");
  const std::string Tables = writeTables(Result);
  EXPECT_NE(Tables.find("; 40 registers by ptxas;"), std::string::npos);
  EXPECT_NE(Tables.find("; about 24 registers;"), std::string::npos);
}

/// Equal ones are counted; a text is made for the first, and notes of a kernel
/// are equal wherever they are.
TEST(SimFindings, EqualOnesAreCounted) {
  static const InstructionInfo Other = Load;
  Findings Found;
  EXPECT_FALSE(Found.countIfKnown(makeFinding(&Load)));
  Found.add(makeFinding(&Load));
  EXPECT_TRUE(Found.countIfKnown(makeFinding(&Load)));
  EXPECT_FALSE(Found.countIfKnown(makeFinding(&Other)));
  Finding Note = makeFinding(&Load);
  Note.Kind = FindingKind::RegionBarrier;
  Found.add(Note);
  Note.Where = &Other;
  EXPECT_TRUE(Found.countIfKnown(Note));
  ASSERT_EQ(Found.all().size(), 2U);
  EXPECT_EQ(Found.all()[0].Count, 6U);
  EXPECT_EQ(Found.all()[1].Where, &Load);
}

TEST(SimJsonReport, Findings) {
  ProgramResult Result = makeResult();
  Result.Findings = {makeFinding(&Load), makeFinding(nullptr)};
  Result.Errors = {"a \"quoted\" error"};
  json::Object Report = parse(writeJson(Result));
  const json::Array &Findings = *Report.getArray("findings");
  ASSERT_EQ(Findings.size(), 2U);
  const json::Object &F = *Findings[0].getAsObject();
  EXPECT_EQ(F.getString("kind"), findingName(FindingKind::OutOfBounds));
  EXPECT_EQ(F.getString("file"), "a\"b.cpp");
  EXPECT_EQ(F.getInteger("line"), 14);
  EXPECT_EQ(F.getInteger("column"), 20);
  EXPECT_EQ(F.getString("function"), "foo(int)");
  EXPECT_EQ(F.getString("demangled"), "main, line 12");
  EXPECT_EQ((*F.getArray("thread"))[1], 2);
  EXPECT_EQ(F.getString("address"), "0xabc");
  EXPECT_EQ(F.getInteger("count"), 3);
  EXPECT_EQ(Findings[1].getAsObject()->getString("file"), "");
  EXPECT_EQ((*Report.getArray("errors"))[0], "a \"quoted\" error");
}

// --- Source lines ------------------------------------------------------------

static const InstructionInfo Instructions[] = {
    {},
    {InstructionKind::Load, 0, 4, 4, 0, 9, 1, "b.cpp", "f"},
    {InstructionKind::Load, 0, 4, 4, 0, 9, 7, "b.cpp", "f"},
    {InstructionKind::Store, 0, 4, 4, 0, 9, 1, "b.cpp", "f"},
    {InstructionKind::Branch, 0, 0, 0, 0, 10, 1, "a.cpp", "f"},
    {InstructionKind::Load, 0, 4, 4, 0, 2, 1, "a.cpp", "f"},
    {InstructionKind::Load, 0, 4, 4, 0, 3, 1, "a.cpp", "f"},
};

static KernelRecord makeRecord(const ModuleInfo &Module,
                               const KernelInfo &Info) {
  KernelRecord Record;
  Record.Info = &Info;
  Record.Module = &Module;
  Record.Instructions.resize(Module.NumInstructions);
  for (unsigned I = 1; I <= 5; ++I) {
    Record.Instructions[I].Requests = I;
    Record.Instructions[I].Lanes = 32 * I;
    Record.Instructions[I].Sectors = 100 * I;
  }
  Record.Instructions[4].Divergent = 2;
  return Record;
}

TEST(SimLines, SortedAndAdded) {
  ModuleInfo Module = {};
  Module.NumInstructions = 7;
  Module.Instructions = Instructions;
  KernelInfo One = {}, Other = {};
  One.Name = "one";
  Other.Name = "other";
  ProgramResult Result = makeResult();
  Result.PerLine = true;
  KernelRecord Record = makeRecord(Module, One);
  addLines(Result, Record);
  Record.Info = &Other;
  Record.Instructions[5] = {};
  addLines(Result, Record);
  // Nothing of line 3, which was never reached.
  ASSERT_EQ(Result.Lines.size(), 4U);
  const char *Files[] = {"a.cpp", "a.cpp", "b.cpp", "b.cpp"};
  const char *Accesses[] = {"load", "branch", "load", "store"};
  const uint32_t Numbers[] = {2, 10, 9, 9};
  const uint64_t Requests[] = {5, 8, 6, 6};
  for (unsigned I = 0; I < 4; ++I) {
    EXPECT_EQ(Result.Lines[I].File, Files[I]);
    EXPECT_EQ(Result.Lines[I].Line, Numbers[I]);
    EXPECT_EQ(Result.Lines[I].Access, Accesses[I]);
    EXPECT_EQ(Result.Lines[I].Sum.Requests, Requests[I]);
    EXPECT_EQ(Result.Lines[I].Sum.Lanes, 32 * Requests[I]);
  }
  json::Object Report = parse(writeJson(Result));
  const json::Array &Lines = *Report.getArray("lines");
  ASSERT_EQ(Lines.size(), 4U);
  EXPECT_EQ(Lines[1].getAsObject()->getInteger("divergent_branches"), 4);
  EXPECT_EQ(Lines[2].getAsObject()->getInteger("global_sectors"), 600);
  EXPECT_EQ(*Lines[0].getAsObject()->getArray("kernels"), json::Array({"one"}));
  EXPECT_EQ(*Lines[1].getAsObject()->getArray("kernels"),
            json::Array({"one", "other"}));
  std::string Table = writeTables(Result);
  EXPECT_LT(Table.find("a.cpp:10 "), Table.find("b.cpp:9 ")) << Table;
}

TEST(SimLines, OnlyIfAskedFor) {
  ProgramResult Result = makeResult();
  EXPECT_FALSE(parse(writeJson(Result)).getArray("lines"));
  EXPECT_EQ(writeTables(Result).find("source lines"), std::string::npos);
}

// --- The tables --------------------------------------------------------------

TEST(SimTables, OneOfEachKernelAndTotals) {
  std::string Table = writeTables(makeResult());
  size_t First = Table.find("\nA::foo(int), line 7 (app.cpp:7)\n");
  size_t Second = Table.find("\nmain, line 12 (app.cpp:12)\n");
  size_t Totals = Table.find("\ntotals\n");
  EXPECT_LT(First, Second) << Table;
  EXPECT_LT(Second, Totals) << Table;
  EXPECT_LT(Totals, Table.find("\nfindings: none\n")) << Table;
}

TEST(SimTables, ColumnsEndTogether) {
  std::string Table = writeTables(makeResult());
  Table = Table.substr(Table.find("\nA::foo"));
  auto Line = [&](const std::string &Begin) {
    size_t From = Table.find("\n  " + Begin) + 1;
    return Table.substr(From, Table.find('\n', From) - From);
  };
  std::string Loads = Line("global loads"), Stores = Line("global stores");
  // 1,500 and 1,600 sectors; 1,700 is the least.
  size_t End = Loads.find(" 1,500 ");
  ASSERT_NE(End, std::string::npos) << Table;
  EXPECT_EQ(Stores.find(" 1,800 "), End) << Table;
  EXPECT_NE(Loads.find(" 0.94"), std::string::npos) << Table;
}

TEST(SimTables, NoRatioToNothing) {
  ProgramResult Result;
  Result.Model = findDeviceModel(70);
  KernelResult K = makeKernel("k", 1);
  K.Device = Counters();
  addKernel(Result, K);
  std::string Table = writeTables(Result);
  for (const char *Text : {"nan", "inf", "shared loads"})
    EXPECT_EQ(Table.find(Text), std::string::npos) << Table;
}

TEST(SimTables, FindingsWithPlaceAndThread) {
  ProgramResult Result = makeResult();
  Result.Findings = {makeFinding(&Load), makeFinding(nullptr)};
  std::string Table = writeTables(Result);
  EXPECT_NE(Table.find("findings: 2\n"), std::string::npos) << Table;
  EXPECT_NE(Table.find("kernel main, line 12, a\"b.cpp:14:20 in foo(int), "
                       "block (1, 0, 0), thread (31, 2, 0), address 0xabc, "
                       "3 times\n"),
            std::string::npos)
      << Table;
}

TEST(SimTables, QuietStillTellsFindings) {
  ProgramResult Result = makeResult();
  Result.Quiet = true;
  EXPECT_EQ(writeTables(Result), "");
  Result.Findings = {makeFinding(&Load)};
  std::string Table = writeTables(Result);
  EXPECT_EQ(Table.find("findings: 1\n"), 0U) << Table;
}

// --- Names -------------------------------------------------------------------

TEST(SimNames, OfKernels) {
  auto Is = [](const char *Mangled, const char *Expected) {
    EXPECT_EQ(demangleKernel(Mangled), Expected);
  };
  Is("__omp_offloading_fe00_a7631c_main_l3", "main, line 3");
  Is("__omp_offloading_fe00_a7631c_main_l3_1", "main, line 3 (1)");
  Is("__omp_offloading_1_2__ZN1A3fooEi_l42", "A::foo(int), line 42");
  Is("__omp_offloading_1_2_a_l_b_l42", "a_l_b, line 42");
  Is("__omp_offloading_1_2_x_l7_l42", "x_l7, line 42");
  Is("__omp_offloading_1_2_f_l3_omp_outlined", "f, line 3");
  Is("__omp_offloading_1_2_f_l3_4_omp_outlined_omp_outlined", "f, line 3 (4)");
  Is("_Z3foov", "foo()");
  Is("__omp_offloading_1_2__Z1fv_l3_debug__", "f(), line 3");
  Is("__omp_offloading_1_2__Z1fv_l3_debug___omp_outlined_debug__",
     "f(), line 3");
  Is("nvptx$device$init", "constructors of device variables");
  Is("ferry.fini", "destructors of device variables");
  // Not of this form.
  for (const char *Other :
       {"", "main", "__omp_offloading_", "__omp_offloading_1", "_Zx",
        "__omp_offloading_1_2_main", "__omp_offloading_1_2_main_lx",
        "__omp_offloading_1_2_main_l", "__omp_offloading_1_2_main_l3_",
        "__omp_offloading_xyz_2_main_l3", "__omp_offloading_1_2_l3"})
    Is(Other, Other);
  EXPECT_EQ(lineOfKernel("__omp_offloading_1_2_f_l37_4"), 37U);
  EXPECT_EQ(lineOfKernel("f_l37"), 0U);
}

TEST(SimNames, OfLambdas) {
  const LambdaInfo Infos[] = {{1000270, 12, "/src/app.cpp"},
                              {1000270, 12, "app.cpp"},
                              {1000300, 7, "app.cpp"},
                              {1000300, 8, "app.h"}};
  ModuleInfo Module = {};
  Module.Lambdas = Infos;
  Module.NumLambdas = 4;
  LambdaPlaces Places;
  addLambdas(Places, Module);
  auto Is = [&](const char *Mangled, const char *With, const char *Without) {
    EXPECT_EQ(demangleKernel(Mangled, Places), With);
    EXPECT_EQ(demangleKernel(Mangled), Without);
  };
  Is("_ZZ4mainENKUliE1000268_clEi",
     "main::{lambda(int) at app.cpp:12}::operator()(int) const",
     "main::{lambda(int)}::operator()(int) const");
  // Twice in one name, and one that is not Ferry's.
  Is("__omp_offloading_1_2__Z6forallIZ4mainEUliE1000268_EviT__l3",
     "void forall<main::{lambda(int) at app.cpp:12}>(int, main::{lambda(int) "
     "at app.cpp:12}), line 3",
     "void forall<main::{lambda(int)}>(int, main::{lambda(int)}), line 3");
  Is("_ZZ4mainENKUlvE0_clEv", "main::{lambda()#2}::operator()() const",
     "main::{lambda()#2}::operator()() const");
  // Two have the number.
  Is("_ZZ4mainENKUlvE1000298_clEv", "main::{lambda()}::operator()() const",
     "main::{lambda()}::operator()() const");
}
