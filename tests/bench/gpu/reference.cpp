// The same loop nests as the kernels' in C++: blocks over threads, a loop over the threads of a block, tiles in local arrays.
// Usage: reference ADD MATMUL; the best times as JSON.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

namespace {

constexpr int kTile = 16;
constexpr int kBlock = 256;
constexpr int kRepeats = 7;

// Runs body(block) for all blocks, on all cores, which take some at a time.
template <typename Body>
void forBlocks(long blocks, const Body& body) {
    unsigned cores = std::max(1u, std::thread::hardware_concurrency());
    long chunk = std::max(1L, blocks / (cores * 8L));
    std::atomic<long> next{0};
    auto work = [&] {
        for (long first = next.fetch_add(chunk); first < blocks; first = next.fetch_add(chunk)) {
            for (long block = first; block < std::min(first + chunk, blocks); block++) {
                body(block);
            }
        }
    };
    std::vector<std::thread> threads;
    for (unsigned i = 1; i < cores; i++) {
        threads.emplace_back(work);
    }
    work();
    for (std::thread& thread : threads) {
        thread.join();
    }
}

void add(const float* a, const float* b, float* c, long n) {
    forBlocks((n + kBlock - 1) / kBlock, [=](long block) {
        long end = std::min(n, (block + 1) * kBlock);
        for (long i = block * kBlock; i < end; i++) {
            c[i] = a[i] + b[i];
        }
    });
}

void multiply(const float* a, const float* b, float* c, long n) {
    long side = n / kTile;
    forBlocks(side * side, [=](long block) {
        long row = block / side * kTile;
        long column = block % side * kTile;
        float x[kTile][kTile];
        float y[kTile][kTile];
        float total[kTile][kTile] = {};
        for (long tile = 0; tile < side; tile++) {
            for (int ty = 0; ty < kTile; ty++) {
                for (int tx = 0; tx < kTile; tx++) {
                    x[ty][tx] = a[(row + ty) * n + tile * kTile + tx];
                    y[ty][tx] = b[(tile * kTile + ty) * n + column + tx];
                }
            }
            for (int ty = 0; ty < kTile; ty++) {
                for (int k = 0; k < kTile; k++) {
                    for (int tx = 0; tx < kTile; tx++) {
                        total[ty][tx] += x[ty][k] * y[k][tx];
                    }
                }
            }
        }
        for (int ty = 0; ty < kTile; ty++) {
            for (int tx = 0; tx < kTile; tx++) {
                c[(row + ty) * n + column + tx] = total[ty][tx];
            }
        }
    });
}

template <typename Work>
double bestMs(const Work& work) {
    double best = 1e9;
    work();
    for (int i = 0; i < kRepeats; i++) {
        auto start = std::chrono::steady_clock::now();
        work();
        best = std::min(best, std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    }
    return best;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) {
        return 2;
    }
    long n = std::atol(argv[1]);
    long m = std::atol(argv[2]);
    std::vector<float> a(static_cast<size_t>(n), 1.0f);
    std::vector<float> b(static_cast<size_t>(n), 2.0f);
    std::vector<float> c(static_cast<size_t>(n), 0.0f);
    double addMs = bestMs([&] { add(a.data(), b.data(), c.data(), n); });
    std::vector<float> rows(static_cast<size_t>(m * m));
    std::vector<float> other(rows.size());
    std::vector<float> product(rows.size());
    for (long i = 0; i < m * m; i++) {
        rows[static_cast<size_t>(i)] = static_cast<float>(i % 7);
        other[static_cast<size_t>(i % m * m + i / m)] = static_cast<float>(i % 7);
    }
    double multiplyMs = bestMs([&] { multiply(rows.data(), other.data(), product.data(), m); });
    std::printf("{\"figures\": {\"vector add\": %.17g, \"matmul\": %.17g}, \"checks\": [%.17g, %.17g]}\n", addMs, multiplyMs,
                static_cast<double>(c.back()), static_cast<double>(product[static_cast<size_t>(m + 2)]));
    return 0;
}
