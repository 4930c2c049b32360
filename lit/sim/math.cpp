// Mathematical functions: the device's results agree with the host's to a few
// units in the last place, exact functions to the last bit.
//
// RUN: %run_at_all_levels
#include "Inputs/check.h"

#include <climits>
#include <complex>

namespace {
constexpr int N = 64;

/// Runs a function on the device and on the host.
template <class T, class F>
void compare(const char *Name, double Begin, double End, F Function,
             double Tolerance) {
  T X[N], Got[N];
  for (int I = 0; I < N; ++I)
    X[I] = Begin + (End - Begin) * I / (N - 1);
#pragma omp target teams distribute parallel for map(to : X) map(from : Got)
  for (int I = 0; I < N; ++I)
    Got[I] = Function(X[I]);
  for (int I = 0; I < N; ++I)
    check::close(Name, Got[I], Function(X[I]), Tolerance, I);
}
} // namespace

#define NEAR(BEGIN, END, CALL)                                                        \
  compare<double>(#CALL, BEGIN, END, [](double X) -> double { return CALL; }, 1e-13); \
  compare<float>(#CALL, BEGIN, END, [](float X) -> float { return CALL; }, 3e-6)
#define EXACT(BEGIN, END, CALL)                                                   \
  compare<double>(#CALL, BEGIN, END, [](double X) -> double { return CALL; }, 0); \
  compare<float>(#CALL, BEGIN, END, [](float X) -> float { return CALL; }, 0)

PROGRAM(trigonometric) {
  NEAR(-7, 7, std::sin(X));
  NEAR(-7, 7, std::cos(X));
  NEAR(-1.4, 1.4, std::tan(X));
  NEAR(-1, 1, std::asin(X));
  NEAR(-1, 1, std::acos(X));
  NEAR(-50, 50, std::atan(X));
  NEAR(-3, 3, std::atan2(X, X - 1));
}

PROGRAM(hyperbolic) {
  NEAR(-3, 3, std::sinh(X));
  NEAR(-3, 3, std::cosh(X));
  NEAR(-5, 5, std::tanh(X));
  NEAR(-9, 9, std::asinh(X));
  NEAR(1, 9, std::acosh(X));
  NEAR(-0.9, 0.9, std::atanh(X));
}

PROGRAM(exponentials) {
  NEAR(-9, 5, std::exp(X));
  NEAR(-9, 5, std::exp2(X));
  NEAR(-1, 1, std::expm1(X));
  NEAR(0.01, 90, std::log(X));
  NEAR(0.01, 90, std::log2(X));
  NEAR(0.01, 90, std::log10(X));
  NEAR(-0.5, 9, std::log1p(X));
  NEAR(0.1, 5, std::pow(X, X - 2));
}

PROGRAM(roots) {
  EXACT(0, 1e6, std::sqrt(X));
  NEAR(-30, 30, std::cbrt(X));
  NEAR(-30, 30, std::hypot(X, X + 3));
  NEAR(0.1, 9, 1 / std::sqrt(X));
}

PROGRAM(special) {
  NEAR(-3, 3, std::erf(X));
  NEAR(-2, 3, std::erfc(X));
  NEAR(0.5, 5, std::tgamma(X));
  NEAR(0.5, 20, std::lgamma(X));
}

PROGRAM(rounding) {
  EXACT(-5.5, 5.75, std::floor(X));
  EXACT(-5.5, 5.75, std::ceil(X));
  EXACT(-5.5, 5.75, std::trunc(X));
  EXACT(-5.5, 5.75, std::round(X));
  EXACT(-5.5, 5.75, std::rint(X));
  EXACT(-5.5, 5.75, std::nearbyint(X));
  EXACT(-1e5, 1e5, std::lround(X));
  EXACT(-1e5, 1e5, std::llrint(X));
}

PROGRAM(remainders) {
  EXACT(-20, 20, std::fmod(X, decltype(X)(0.75)));
  EXACT(-20, 20, std::remainder(X, decltype(X)(0.75)));
  EXACT(-20, 20, std::fdim(X, decltype(X)(2)));
  EXACT(-9, 9, std::copysign(decltype(X)(2), X));
}

PROGRAM(extremes) {
  EXACT(-9, 9, std::fabs(X));
  EXACT(-9, 9, std::fmax(X, decltype(X)(2)));
  EXACT(-9, 9, std::fmin(X, decltype(X)(2)));
  EXACT(-9, 9, std::fma(X, X, -X));
}

PROGRAM(parts) {
  EXACT(0.1, 900, std::logb(X));
  EXACT(0.1, 900, std::ilogb(X));
  EXACT(0.1, 9, std::ldexp(X, 5));
  EXACT(0.1, 9, std::scalbn(X, -3));
  EXACT(0.1, 9, std::nextafter(X, decltype(X)(100)));
}

PROGRAM(through_pointers) {
  double Sin[N], Cos[N], Fraction[N], Whole[N], Mantissa[N];
  int Exponent[N];
#pragma omp target teams distribute parallel for map(from : Sin, Cos, Fraction, Whole, Mantissa, Exponent)
  for (int I = 0; I < N; ++I) {
    double X = I * 0.375 + 0.125;
    sincos(X, &Sin[I], &Cos[I]);
    Fraction[I] = modf(X, &Whole[I]);
    Mantissa[I] = frexp(X, &Exponent[I]);
  }
  for (int I = 0; I < N; ++I) {
    double X = I * 0.375 + 0.125, W;
    int E;
    check::close("Sin", Sin[I], sin(X), 1e-14, I);
    check::close("Cos", Cos[I], cos(X), 1e-14, I);
    check::value("Fraction", Fraction[I], modf(X, &W), I);
    check::value("Whole", Whole[I], W, I);
    check::value("Mantissa", Mantissa[I], frexp(X, &E), I);
    check::value("Exponent", Exponent[I], E, I);
  }
}

PROGRAM(special_values) {
  const double In[] = {0.0, -0.0, INFINITY, -INFINITY, NAN, 1e-310, 1e308, -3};
  int Class[8];
  double Sqrt[8], Exp[8], Max[8];
#pragma omp target parallel for num_threads(8) map(to : In) \
    map(from : Class, Sqrt, Exp, Max)
  for (int I = 0; I < 8; ++I) {
    double X = In[I];
    Class[I] = __builtin_isnan(X) + 2 * __builtin_isinf(X) +
               4 * (__builtin_signbit(X) != 0) + 8 * __builtin_isfinite(X);
    Sqrt[I] = sqrt(X);
    Exp[I] = exp(X);
    Max[I] = fmax(X, 1.0);
  }
  for (int I = 0; I < 8; ++I) {
    double X = In[I];
    check::value("Class", Class[I],
                 bool(std::isnan(X)) + 2 * bool(std::isinf(X)) +
                     4 * bool(std::signbit(X)) + 8 * bool(std::isfinite(X)),
                 I);
    check::close("Sqrt", Sqrt[I], sqrt(X), 0, I);
    check::close("Exp", Exp[I], exp(X), 1e-14, I);
    check::close("Max", Max[I], fmax(X, 1.0), 0, I);
  }
}

PROGRAM(integers) {
  constexpr int M = 300;
  int Got[M];
#define WORK(I)                                                      \
  (__builtin_popcount(I * 2654435761u) + __builtin_clz(I + 1) * 64 + \
   __builtin_ctz(I + 8) * 4096 + abs(7 - I) +                        \
   int(__builtin_bswap32(I) % 1009) + int(labs(-I * 5L)) +           \
   int(__builtin_bitreverse32(I) >> 20) + __builtin_parity(I) +      \
   __builtin_popcountll(I * 0x9e3779b97f4a7c15ull) +                 \
   __builtin_ffs(I * 16))
#pragma omp target teams distribute parallel for map(from : Got)
  for (int I = 0; I < M; ++I)
    Got[I] = WORK(I);
  for (int I = 0; I < M; ++I)
    check::value("Got", Got[I], WORK(I), I);
}

PROGRAM(integer_division) {
  constexpr int M = 400;
  long Got[M];
#pragma omp target teams distribute parallel for map(from : Got)
  for (int I = 0; I < M; ++I)
    Got[I] = (I - 200) / (I % 7 - 10) + (I - 200) % 13 +
             long((I * 0x9e3779b97f4a7c15ull) / (I + 3u)) +
             long((I * 0x9e3779b97f4a7c15ull) % (I + 3u));
  for (int I = 0; I < M; ++I)
    check::value("Got", Got[I],
                 (I - 200) / (I % 7 - 10) + (I - 200) % 13 +
                     long((I * 0x9e3779b97f4a7c15ull) / (I + 3u)) +
                     long((I * 0x9e3779b97f4a7c15ull) % (I + 3u)),
                 I);
}

PROGRAM(complex_numbers) {
  std::complex<double> Got[N];
  std::complex<float> Small[N];
#pragma omp target teams distribute parallel for map(from : Got, Small)
  for (int I = 0; I < N; ++I) {
    std::complex<double> Z(0.1 * I, 1 - 0.05 * I), W(2, 0.5);
    Got[I] = Z * W + Z / W - std::conj(Z) + std::norm(Z);
    std::complex<float> S(0.25f * I, 2);
    Small[I] = S * S + 1.0f;
  }
  for (int I = 0; I < N; ++I) {
    std::complex<double> Z(0.1 * I, 1 - 0.05 * I), W(2, 0.5),
        Want = Z * W + Z / W - std::conj(Z) + std::norm(Z);
    check::close("real", Got[I].real(), Want.real(), 1e-13, I);
    check::close("imag", Got[I].imag(), Want.imag(), 1e-13, I);
    check::close("real", Small[I].real(), 0.0625 * I * I - 3, 1e-6, I);
    check::close("imag", Small[I].imag(), I, 1e-6, I);
  }
}

PROGRAM(complex_functions) {
  double Got[N];
#pragma omp target teams distribute parallel for map(from : Got)
  for (int I = 0; I < N; ++I) {
    std::complex<double> Z(0.1 * I - 3, 0.05 * I);
    Got[I] = std::abs(Z) + std::arg(Z) + std::exp(Z).real() +
             std::sqrt(Z).imag();
  }
  for (int I = 0; I < N; ++I) {
    std::complex<double> Z(0.1 * I - 3, 0.05 * I);
    check::close("Got", Got[I],
                 std::abs(Z) + std::arg(Z) + std::exp(Z).real() +
                     std::sqrt(Z).imag(),
                 1e-13, I);
  }
}

PROGRAM(conversions) {
  constexpr int M = 200;
  double Got[M];
#pragma omp target teams distribute parallel for map(from : Got)
  for (int I = 0; I < M; ++I) {
    double X = (I - 100) * 1.3;
    Got[I] = int(X) + long(X * 1e9) + (unsigned char)(I) + short(X * 7) +
             float(X) + double(unsigned(I * 17)) + (X > 0 ? (unsigned long)(X * 1e15) : 0ul) +
             (long long)(float)(X) + (_Float16)(X);
  }
  for (int I = 0; I < M; ++I) {
    double X = (I - 100) * 1.3;
    check::close("Got", Got[I],
                 int(X) + long(X * 1e9) + (unsigned char)(I) + short(X * 7) +
                     float(X) + double(unsigned(I * 17)) +
                     (X > 0 ? (unsigned long)(X * 1e15) : 0ul) +
                     (long long)(float)(X) + (_Float16)(X),
                 1e-15, I);
  }
}

int main(int Argc, char **Argv) { return check::run(Argc, Argv); }
