//===- grid.h - A grid that processes share, on their devices ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An N x N grid is cut into blocks of rows, one for each process. A process
// keeps its rows on a device, with one more row at either end for those of its
// neighbours. At the edges of the grid these stay 0.
//
//===----------------------------------------------------------------------===//
#ifndef FERRY_EXAMPLES_MPI_GRID_H
#define FERRY_EXAMPLES_MPI_GRID_H

// Only MPI's functions, without Open MPI's classes of older days.
#define OMPI_SKIP_MPICXX
#include <algorithm>
#include <mpi.h>
#include <omp.h>
#include <vector>

// This process. Each takes another device, as far as there are enough.
struct Process {
  int Rank, Size;

  Process(int &Argc, char **&Argv) {
    MPI_Init(&Argc, &Argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &Rank);
    MPI_Comm_size(MPI_COMM_WORLD, &Size);
    if (omp_get_num_devices() > 0)
      omp_set_default_device(Rank % omp_get_num_devices());
  }
  ~Process() { MPI_Finalize(); }
  Process(const Process &) = delete;
  Process &operator=(const Process &) = delete;
};

// Which rows of the grid are whose.
struct Layout {
  int N, Begin, End;            // The rows of this process.
  int Before, After;            // Its neighbours.
  std::vector<int> Rows, First; // Of every process.

  Layout(const Process &P, int N)
      : N(N), Before(P.Rank > 0 ? P.Rank - 1 : MPI_PROC_NULL),
        After(P.Rank < P.Size - 1 ? P.Rank + 1 : MPI_PROC_NULL) {
    for (long Rank = 0; Rank < P.Size; ++Rank) {
      First.push_back(N * Rank / P.Size);
      Rows.push_back(N * (Rank + 1) / P.Size - First.back());
    }
    Begin = First[P.Rank];
    End = Begin + Rows[P.Rank];
  }

  // The rows of all processes, each row of Length numbers, in every process.
  std::vector<double> gather(const double *Own, int Length) const {
    std::vector<double> All(size_t(N) * Length);
    MPI_Datatype Row;
    MPI_Type_contiguous(Length, MPI_DOUBLE, &Row);
    MPI_Type_commit(&Row);
    MPI_Allgatherv(Own, End - Begin, Row, All.data(), Rows.data(), First.data(),
                   Row, MPI_COMM_WORLD);
    MPI_Type_free(&Row);
    return All;
  }
};

// A number for each cell. What (I, J) refers to is on the device in a kernel,
// and on the host elsewhere.
class Field {
public:
  explicit Field(const Layout &L)
      : L(L), Begin(L.Begin), N(L.N), Size(size_t(L.End - L.Begin + 2) * L.N),
        Data(new double[Size]()) {
#pragma omp target enter data map(to : Data[0 : Size])
  }
  ~Field() {
#pragma omp target exit data map(delete : Data[0 : Size])
    delete[] Data;
  }
  Field(const Field &) = delete;
  Field &operator=(const Field &) = delete;

  double &operator()(int I, int J) const {
    return Data[size_t(J - Begin + 1) * N + I];
  }

  void swap(Field &Other) { std::swap(Data, Other.Data); }

  void send() {
#pragma omp target update to(Data[0 : Size])
  }

  // Brings back the rows of this process, and returns those of all.
  std::vector<double> gather() {
#pragma omp target update from(Data[0 : Size])
    return L.gather(Data + N, N);
  }

  // Sends the first and last rows of this process, and gets its neighbours'.
  void exchange() {
    double *First = &(*this)(0, L.Begin), *Last = &(*this)(0, L.End - 1);
    double *Above = First - N, *Below = Last + N;
#pragma omp target update from(First[0 : N], Last[0 : N])
    MPI_Sendrecv(First, N, MPI_DOUBLE, L.Before, 0, Below, N, MPI_DOUBLE,
                 L.After, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(Last, N, MPI_DOUBLE, L.After, 1, Above, N, MPI_DOUBLE,
                 L.Before, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#pragma omp target update to(Above[0 : N], Below[0 : N])
  }

private:
  const Layout &L;
  int Begin, N;
  size_t Size;
  double *Data;
};

// The loops over the cells and over the rows of this process. Nothing here is
// about the data: it is inside the lambda.
template <typename Body> void forCells(const Layout &L, Body Loop) {
  int Begin = L.Begin, End = L.End, N = L.N;
#pragma omp target teams distribute parallel for collapse(2)
  for (int J = Begin; J < End; ++J)
    for (int I = 0; I < N; ++I)
      Loop(I, J);
}

template <typename Body> void forRows(const Layout &L, Body Loop) {
  int Begin = L.Begin, End = L.End;
#pragma omp target teams distribute parallel for
  for (int J = Begin; J < End; ++J)
    Loop(J);
}

#endif // FERRY_EXAMPLES_MPI_GRID_H
