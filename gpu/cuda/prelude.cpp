// What CUDA translation units begin with: type names, arrays, Python's arithmetic. It is compiled with each kernel, which takes
// longer the more there is: short, no header, and only what the kernel uses.
#include <iterator>
#include <string_view>
#include <unordered_set>

#include "gpu/cuda/cuda_source.h"

namespace kiln::gpu {
namespace {

struct Part {
    std::string_view names;  // that it defines, between spaces; empty: it is always there
    std::string_view text;
};

// Each uses those before it.
constexpr Part kParts[] = {
    {"", R"cuda(typedef signed char int8;
typedef short int16;
typedef int int32;
typedef long long int64;
typedef unsigned char uint8;
typedef unsigned short uint16;
typedef unsigned int uint32;
typedef unsigned long long uint64;
#define KILN __device__ __forceinline__
)cuda"},
    {"float16 HalfBits", R"cuda(// Of 16 bits; computed with as a float.
struct HalfBits { uint16 bits; };
struct float16 {
    uint16 bits;
    float16() = default;
    constexpr KILN float16(HalfBits given) : bits(given.bits) {}
    KILN explicit float16(float x) { asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(x)); }
    KILN explicit float16(double x) { asm("cvt.rn.f16.f64 %0, %1;" : "=h"(bits) : "d"(x)); }
    template <typename T> KILN explicit float16(T x) : float16((double)x) {}
    KILN operator float() const {
        float x;
        asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(bits));
        return x;
    }
};
)cuda"},
    {"Record", R"cuda(template <int N, int A> struct alignas(A) Record { uint8 bytes[N]; };
)cuda"},
    {"complex64 complex128", R"cuda(struct complex64 { float real, imag; };
struct complex128 { double real, imag; };
)cuda"},
    {"CArray", R"cuda(// Contiguous in C order. Where no element's offset needs more than 32 bits, Offset is int32.
template <typename T, int N> struct CArray {
    T* data;
    int64 shape[N];
    KILN T& operator()(Offset i) const { return data[i]; }
    KILN T& operator()(Offset i, Offset j) const { return data[i * (Offset)shape[1] + j]; }
    KILN T& operator()(Offset i, Offset j, Offset k) const { return data[(i * (Offset)shape[1] + j) * (Offset)shape[2] + k]; }
    template <typename... I> KILN T& operator()(Offset i, Offset j, Offset k, Offset l, I... more) const {
        Offset at[N] = {i, j, k, l, (Offset)more...}, offset = 0;
        for (int m = 0; m < N; m++) offset = offset * (Offset)shape[m] + at[m];
        return data[offset];
    }
    KILN int64 stride(int axis) const {
        int64 bytes = sizeof(T);
        for (int k = N - 1; k > axis; k--) bytes *= shape[k];
        return bytes;
    }
};
template <typename T> struct CArray<T, 0> {
    T* data;
    KILN T& operator()() const { return *data; }
};
)cuda"},
    {"FArray", R"cuda(// Contiguous in Fortran order.
template <typename T, int N> struct FArray {
    T* data;
    int64 shape[N];
    template <typename... I> KILN T& operator()(I... index) const {
        int64 at[N] = {(int64)index...}, offset = 0;
        for (int k = N - 1; k >= 0; k--) offset = offset * shape[k] + at[k];
        return data[offset];
    }
    KILN int64 stride(int axis) const {
        int64 bytes = sizeof(T);
        for (int k = 0; k < axis; k++) bytes *= shape[k];
        return bytes;
    }
};
)cuda"},
    {"AArray", R"cuda(// With strides in bytes.
template <typename T, int N> struct AArray {
    T* data;
    int64 shape[N];
    int64 strides[N];
    template <typename... I> KILN T& operator()(I... index) const {
        int64 at[N] = {(int64)index...}, offset = 0;
        for (int k = 0; k < N; k++) offset += at[k] * strides[k];
        return *(T*)((char*)data + offset);
    }
    KILN int64 stride(int axis) const { return strides[axis]; }
};
)cuda"},
    {"load_ca load_cg load_cs load_lu load_cv store_cg store_cs store_wb store_wt", R"cuda(// Accesses that say something to the caches.
#define KILN_LOAD(op, size, type, letter) \
    type v; asm volatile("ld.global." #op "." size " %0, [%1];" : letter(v) : "l"(__cvta_generic_to_global(p)) : "memory"); return *(T*)&v
#define KILN_STORE(op, size, type, letter) \
    type v = *(type*)&x; asm volatile("st.global." #op "." size " [%0], %1;" ::"l"(__cvta_generic_to_global(p)), letter(v) : "memory")
#define KILN_HINTED_LOAD(op) template <typename T> KILN T load_##op(const T* p) { \
    if constexpr (sizeof(T) == 1) { KILN_LOAD(op, "b8", uint16, "=h"); } \
    else if constexpr (sizeof(T) == 2) { KILN_LOAD(op, "b16", uint16, "=h"); } \
    else if constexpr (sizeof(T) == 4) { KILN_LOAD(op, "b32", uint32, "=r"); } \
    else { KILN_LOAD(op, "b64", uint64, "=l"); } }
#define KILN_HINTED_STORE(op) template <typename T, typename V> KILN void store_##op(T* p, V given) { \
    T x = (T)given; \
    if constexpr (sizeof(T) == 1) { uint16 v = *(uint8*)&x; asm volatile("st.global." #op ".b8 [%0], %1;" ::"l"(__cvta_generic_to_global(p)), "h"(v) : "memory"); } \
    else if constexpr (sizeof(T) == 2) { KILN_STORE(op, "b16", uint16, "h"); } \
    else if constexpr (sizeof(T) == 4) { KILN_STORE(op, "b32", uint32, "r"); } \
    else { KILN_STORE(op, "b64", uint64, "l"); } }
KILN_HINTED_LOAD(ca)
KILN_HINTED_LOAD(cg)
KILN_HINTED_LOAD(cs)
KILN_HINTED_LOAD(lu)
KILN_HINTED_LOAD(cv)
KILN_HINTED_STORE(cg)
KILN_HINTED_STORE(cs)
KILN_HINTED_STORE(wb)
KILN_HINTED_STORE(wt)
)cuda"},
    {"moved", R"cuda(template <typename T> KILN T* moved(T* data, int64 bytes) { return (T*)((char*)data + bytes); }
)cuda"},
    {"wrap", R"cuda(KILN int64 wrap(int64 index, int64 size) { return index < 0 ? index + size : index; }
)cuda"},
    {"modulo is_real", R"cuda(// Python's arithmetic. A divisor of 0 gives 0 for integers.
template <typename T> constexpr bool is_real = (T)0.5 != 0;
template <typename T> KILN T modulo(T a, T b) {
    if constexpr (is_real<T>) {
        T r = fmod(a, b);
        return r != 0 ? ((r < 0) != (b < 0) ? r + b : r) : copysign((T)0, b);
    } else {
        if (b == 0 || (b == (T)-1 && (T)-1 < 0)) return 0;
        T r = a % b;
        return r != 0 && (r < 0) != (b < 0) ? r + b : r;
    }
}
)cuda"},
    {"floor_divide", R"cuda(template <typename T> KILN T floor_divide(T a, T b) {
    if constexpr (is_real<T>) {
        if (b == 0) return a / b;
        T r = fmod(a, b), q = (a - r) / b;
        if (r != 0 && (r < 0) != (b < 0)) q -= 1;
        T f = floor(q);
        return q != 0 ? (q - f > (T)0.5 ? f + 1 : f) : copysign((T)0, a / b);
    } else {
        if (b == 0) return 0;
        if (b == (T)-1 && (T)-1 < 0) return (T)(0 - (uint64)a);
        T q = a / b;
        return q - (a % b != 0 && (a < 0) != (b < 0));
    }
}
)cuda"},
    {"power", R"cuda(template <typename T> KILN T power(T base, T exponent) {
    if (exponent < 0) return base == 0 ? (T)(1ull << 63) : base == 1 ? 1 : base == (T)-1 ? (exponent % 2 != 0 ? (T)-1 : 1) : 0;
    uint64 result = 1, factor = (uint64)base;
    for (uint64 rest = (uint64)exponent; rest != 0; rest >>= 1, factor *= factor)
        if (rest & 1) result *= factor;
    return (T)result;
}
)cuda"},
    {"plus minus times shifted", R"cuda(// Integers wrap.
template <typename T> KILN T plus(T a, T b) { return (T)((uint64)a + (uint64)b); }
template <typename T> KILN T minus(T a, T b) { return (T)((uint64)a - (uint64)b); }
template <typename T> KILN T times(T a, T b) { return (T)((uint64)a * (uint64)b); }
template <typename T> KILN T shifted(T a, T b) { return (T)((uint64)a << (b & (sizeof(T) * 8 - 1))); }
)cuda"},
    {"least greatest", R"cuda(// Of floats a nan is neither the least nor the greatest.
template <typename T> KILN T least(T a, T b) { return b < a ? b : a; }
template <typename T> KILN T greatest(T a, T b) { return b > a ? b : a; }
KILN double least(double a, double b) { return fmin(a, b); }
KILN float least(float a, float b) { return fminf(a, b); }
KILN double greatest(double a, double b) { return fmax(a, b); }
KILN float greatest(float a, float b) { return fmaxf(a, b); }
)cuda"},
    {"absolute", R"cuda(template <typename T> KILN T absolute(T a) { return a < 0 ? minus<T>(0, a) : a; }
KILN double absolute(double a) { return fabs(a); }
KILN float absolute(float a) { return fabsf(a); }
)cuda"},
    {"mixed_equal mixed_less mixed_greater",
     R"cuda(KILN bool mixed_equal(int64 a, uint64 b) { return a >= 0 && (uint64)a == b; }
KILN bool mixed_less(int64 a, uint64 b) { return a < 0 || (uint64)a < b; }
KILN bool mixed_greater(int64 a, uint64 b) { return a >= 0 && (uint64)a > b; }
)cuda"},
    {"same_bits", R"cuda(template <typename T> KILN T same_bits(double x) { return (T)__double_as_longlong(x); }
template <typename T> KILN T same_bits(float x) { return (T)__float_as_int(x); }
template <typename T> KILN T same_bits(int64 x) { return (T)__longlong_as_double(x); }
template <typename T> KILN T same_bits(uint64 x) { return (T)__longlong_as_double((int64)x); }
template <typename T> KILN T same_bits(int32 x) { return (T)__int_as_float(x); }
template <typename T> KILN T same_bits(uint32 x) { return (T)__uint_as_float(x); }
template <typename T> KILN T same_bits(float16 x) { return (T)x.bits; }
template <typename T> KILN T same_bits(uint16 x) { return T(HalfBits{x}); }
)cuda"},
    {"bits_of of_bits update", R"cuda(// Atomics that CUDA lacks for a type.
KILN uint64 bits_of(double x) { return (uint64)__double_as_longlong(x); }
KILN uint32 bits_of(float x) { return __float_as_uint(x); }
KILN double of_bits(uint64 x) { return __longlong_as_double((int64)x); }
KILN float of_bits(uint32 x) { return __uint_as_float(x); }
template <typename T, typename B, typename F> KILN T update(T* at, T value, B, F next) {
    B old = *(volatile B*)at, seen;
    do {
        seen = old;
        old = atomicCAS((B*)at, seen, bits_of(next(of_bits(seen), value)));
    } while (old != seen);
    return of_bits(old);
}
)cuda"},
    {"atomic_add", R"cuda(KILN int32 atomic_add(int32* at, int32 v) { return atomicAdd(at, v); }
KILN uint32 atomic_add(uint32* at, uint32 v) { return atomicAdd(at, v); }
KILN uint64 atomic_add(uint64* at, uint64 v) { return atomicAdd(at, v); }
KILN int64 atomic_add(int64* at, int64 v) { return (int64)atomicAdd((uint64*)at, (uint64)v); }
KILN float atomic_add(float* at, float v) { return atomicAdd(at, v); }
KILN double atomic_add(double* at, double v) { return atomicAdd(at, v); }
)cuda"},
    {"atomic_sub", R"cuda(template <typename T> KILN T atomic_sub(T* at, T v) { return atomic_add(at, (T)-v); }
)cuda"},
    {"Greater Smaller",
     R"cuda(struct Greater { template <typename T> KILN T operator()(T a, T b) const { return b > a ? b : a; } };
struct Smaller { template <typename T> KILN T operator()(T a, T b) const { return b < a ? b : a; } };
)cuda"},
    {"NanGreater NanSmaller",
     R"cuda(struct NanGreater { template <typename T> KILN T operator()(T a, T b) const { return b > a || a != a ? b : a; } };
struct NanSmaller { template <typename T> KILN T operator()(T a, T b) const { return b < a || a != a ? b : a; } };
)cuda"},
    {"atomic_max", R"cuda(template <typename T> KILN T atomic_max(T* at, T v) { return atomicMax(at, v); }
KILN double atomic_max(double* at, double v) { return update(at, v, (uint64)0, Greater()); }
KILN float atomic_max(float* at, float v) { return update(at, v, (uint32)0, Greater()); }
)cuda"},
    {"atomic_min", R"cuda(template <typename T> KILN T atomic_min(T* at, T v) { return atomicMin(at, v); }
KILN double atomic_min(double* at, double v) { return update(at, v, (uint64)0, Smaller()); }
KILN float atomic_min(float* at, float v) { return update(at, v, (uint32)0, Smaller()); }
)cuda"},
    {"atomic_nanmax", R"cuda(template <typename T> KILN T atomic_nanmax(T* at, T v) { return atomicMax(at, v); }
KILN double atomic_nanmax(double* at, double v) { return update(at, v, (uint64)0, NanGreater()); }
KILN float atomic_nanmax(float* at, float v) { return update(at, v, (uint32)0, NanGreater()); }
)cuda"},
    {"atomic_nanmin", R"cuda(template <typename T> KILN T atomic_nanmin(T* at, T v) { return atomicMin(at, v); }
KILN double atomic_nanmin(double* at, double v) { return update(at, v, (uint64)0, NanSmaller()); }
KILN float atomic_nanmin(float* at, float v) { return update(at, v, (uint32)0, NanSmaller()); }
)cuda"},
    {"atomic_and", R"cuda(template <typename T> KILN T atomic_and(T* at, T v) { return atomicAnd(at, v); }
KILN int64 atomic_and(int64* at, int64 v) { return (int64)atomicAnd((uint64*)at, (uint64)v); }
)cuda"},
    {"atomic_or", R"cuda(template <typename T> KILN T atomic_or(T* at, T v) { return atomicOr(at, v); }
KILN int64 atomic_or(int64* at, int64 v) { return (int64)atomicOr((uint64*)at, (uint64)v); }
)cuda"},
    {"atomic_xor", R"cuda(template <typename T> KILN T atomic_xor(T* at, T v) { return atomicXor(at, v); }
KILN int64 atomic_xor(int64* at, int64 v) { return (int64)atomicXor((uint64*)at, (uint64)v); }
)cuda"},
    {"atomic_exch", R"cuda(template <typename T> KILN T atomic_exch(T* at, T v) { return atomicExch(at, v); }
KILN int64 atomic_exch(int64* at, int64 v) { return (int64)atomicExch((uint64*)at, (uint64)v); }
)cuda"},
    {"atomic_cas", R"cuda(template <typename T> KILN T atomic_cas(T* at, T old, T v) { return atomicCAS(at, old, v); }
KILN int64 atomic_cas(int64* at, int64 old, int64 v) { return (int64)atomicCAS((uint64*)at, (uint64)old, (uint64)v); }
)cuda"},
    {"atomic_inc atomic_dec", R"cuda(KILN uint32 atomic_inc(uint32* at, uint32 v) { return atomicInc(at, v); }
KILN uint32 atomic_dec(uint32* at, uint32 v) { return atomicDec(at, v); }
KILN uint64 step_up(uint64 a, uint64 v) { return a >= v ? 0 : a + 1; }
KILN uint64 step_down(uint64 a, uint64 v) { return a == 0 || a > v ? v : a - 1; }
template <typename F> KILN uint64 count(uint64* at, uint64 v, F next) {
    uint64 old = *(volatile uint64*)at, seen;
    do {
        seen = old;
        old = atomicCAS(at, seen, next(seen, v));
    } while (old != seen);
    return old;
}
KILN uint64 atomic_inc(uint64* at, uint64 v) { return count(at, v, [](uint64 a, uint64 b) { return step_up(a, b); }); }
KILN uint64 atomic_dec(uint64* at, uint64 v) { return count(at, v, [](uint64 a, uint64 b) { return step_down(a, b); }); }
)cuda"},
    {"dynamic_bytes", R"cuda(KILN int64 dynamic_bytes() {
    uint32 bytes;
    asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(bytes));
    return bytes;
}
)cuda"},
    {"match_all", R"cuda(KILN uint32 match_all(uint32 mask, uint64 value) {
    int all;
    return __match_all_sync(mask, value, &all);
}
)cuda"},
    {"raise_fault kiln_fault", R"cuda(struct Fault {
    uint32 fault;
    int32 thread[3], block[3], unused;
    int64 index, size;
};
extern "C" __device__ Fault kiln_fault = {};
// The thread ends; the first one to fail says why.
KILN void raise_fault(uint32 fault, int64 index = 0, int64 size = 0) {
    if (atomicCAS(&kiln_fault.fault, 0u, fault) == 0) {
        kiln_fault.thread[0] = threadIdx.x, kiln_fault.thread[1] = threadIdx.y, kiln_fault.thread[2] = threadIdx.z;
        kiln_fault.block[0] = blockIdx.x, kiln_fault.block[1] = blockIdx.y, kiln_fault.block[2] = blockIdx.z;
        kiln_fault.index = index, kiln_fault.size = size;
    }
    asm volatile("exit;");
}
)cuda"},
    {"grid_sync",
     R"cuda(// All blocks wait for each other. Of a cooperative launch the driver gives a counter, at envreg1 and 2: the first block adds
// what is missing to half of its range, the others 1 each, so that its highest bit changes when all have come.
KILN void grid_sync() {
    uint32 high, low;
    asm("mov.u32 %0, %%envreg1;" : "=r"(high));
    asm("mov.u32 %0, %%envreg2;" : "=r"(low));
    uint32* arrived = (uint32*)((uint64)high << 32 | low) + 1;
    __syncthreads();
    if (threadIdx.x + threadIdx.y + threadIdx.z == 0) {
        bool first = blockIdx.x + blockIdx.y + blockIdx.z == 0;
        uint32 step = first ? 0x80000000u - (gridDim.x * gridDim.y * gridDim.z - 1) : 1;
        __threadfence();
        uint32 old = atomicAdd(arrived, step);
        while (((old ^ *(volatile uint32*)arrived) & 0x80000000u) == 0) {}
        __threadfence();
    }
    __syncthreads();
}
)cuda"},
};

using Words = std::unordered_set<std::string_view>;

void addWords(std::string_view text, Words& out) {
    auto isLetter = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    };
    for (size_t begin = 0; begin < text.size(); begin++) {
        size_t end = begin;
        while (end < text.size() && isLetter(text[end])) {
            end++;
        }
        if (end > begin) {
            out.insert(text.substr(begin, end - begin));
            begin = end;
        }
    }
}

bool isUsed(const Part& part, const Words& used) {
    Words names;
    addWords(part.names, names);
    for (std::string_view name : names) {
        if (used.count(name) > 0) {
            return true;
        }
    }
    return names.empty();
}

}  // namespace

std::string cudaPrelude(std::string_view body, bool isNarrow) {
    Words used;
    addWords(body, used);
    bool isTaken[std::size(kParts)];
    for (size_t i = std::size(kParts); i-- > 0;) {
        isTaken[i] = isUsed(kParts[i], used);
        if (isTaken[i]) {
            addWords(kParts[i].text, used);
        }
    }
    std::string prelude;
    for (size_t i = 0; i < std::size(kParts); i++) {
        bool isOfArrays = kParts[i].names == "CArray";
        prelude += isTaken[i] && isOfArrays ? (isNarrow ? "typedef int32 Offset;\n" : "typedef int64 Offset;\n") : "";
        prelude += isTaken[i] ? kParts[i].text : "";
    }
    return prelude;
}

}  // namespace kiln::gpu
