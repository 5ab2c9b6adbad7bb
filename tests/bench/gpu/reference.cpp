// The same loop nests as the kernels' in C++: blocks over threads, a loop over the threads of a block, tiles in local arrays.
// Usage: reference ADD MATMUL STENCIL MANDELBROT BODIES; the best times as JSON.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr int kTile = 16;
constexpr int kBlock = 256;
constexpr int kLimit = 64;
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

void multiplyPlainly(const float* a, const float* b, float* c, long n) {
    long side = n / kTile;
    forBlocks(side * side, [=](long block) {
        long row = block / side * kTile;
        long column = block % side * kTile;
        for (int ty = 0; ty < kTile; ty++) {
            const float* from = a + (row + ty) * n;
            float total[kTile] = {};
            for (long k = 0; k < n; k++) {
                float factor = from[k];
                for (int tx = 0; tx < kTile; tx++) {
                    total[tx] += factor * b[k * n + column + tx];
                }
            }
            std::copy(total, total + kTile, c + (row + ty) * n + column);
        }
    });
}

void reduce(const float* a, long n, float* out, long blocks) {
    forBlocks(blocks, [=](long block) {
        float parts[kBlock] = {};
        for (long first = block * kBlock; first < n; first += blocks * kBlock) {
            for (long t = 0; t < std::min<long>(kBlock, n - first); t++) {
                parts[t] += a[first + t];
            }
        }
        for (int step = kBlock / 2; step > 0; step /= 2) {
            for (int t = 0; t < step; t++) {
                parts[t] += parts[t + step];
            }
        }
        out[block] = parts[0];
    });
}

void smooth(const float* old, float* made, long n) {
    forBlocks(n / kTile * (n / kTile), [=](long block) {
        long firstRow = block / (n / kTile) * kTile;
        long firstColumn = block % (n / kTile) * kTile;
        for (long row = std::max(1L, firstRow); row < std::min(n - 1, firstRow + kTile); row++) {
            for (long i = row * n + std::max(1L, firstColumn); i < row * n + std::min(n - 1, firstColumn + kTile); i++) {
                float around = old[i - n] + old[i + n] + old[i - 1] + old[i + 1];
                made[i] = old[i] + 0.1f * (around - 4.0f * old[i]);
            }
        }
    });
}

void draw(int* out, long n) {
    forBlocks(n / kTile * (n / kTile), [=](long block) {
        long firstRow = block / (n / kTile) * kTile;
        long firstColumn = block % (n / kTile) * kTile;
        for (long row = firstRow; row < firstRow + kTile; row++) {
            for (long column = firstColumn; column < firstColumn + kTile; column++) {
                float re = static_cast<float>(column) * static_cast<float>(3.0 / 4096) - 2.0f;
                float im = static_cast<float>(row) * static_cast<float>(3.0 / 4096) - 1.5f;
                float x = 0;
                float y = 0;
                int count = 0;
                while (count < kLimit && x * x + y * y < 4.0f) {
                    float next = x * x - y * y + re;
                    y = 2.0f * x * y + im;
                    x = next;
                    count++;
                }
                out[row * n + column] = count;
            }
        }
    });
}

void pull(const float* x, const float* y, const float* z, float* out, long n) {
    forBlocks(n / kBlock, [=](long block) {
        long first = block * kBlock;
        float total[kBlock] = {};
        for (long j = 0; j < n; j++) {
            for (int t = 0; t < kBlock; t++) {
                float dx = x[j] - x[first + t];
                float dy = y[j] - y[first + t];
                float dz = z[j] - z[first + t];
                float near = 1.0f / std::sqrt(dx * dx + dy * dy + dz * dz + 0.01f);
                total[t] += dx * near * near * near;
            }
        }
        std::copy(total, total + kBlock, out + first);
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

using Floats = std::vector<float>;

struct Answer {
    std::string figures;
    std::string checks;

    template <typename Work>
    void measure(const char* name, const Work& work) {
        figures += (figures.empty() ? "" : ", ") + ("\"" + std::string(name) + "\": ") + std::to_string(bestMs(work));
    }
    void check(double value) { checks += (checks.empty() ? "" : ", ") + std::to_string(value); }
};

// The numbers from 0 on, each modulo another.
Floats counted(long n, long modulo) {
    Floats made(static_cast<size_t>(n));
    for (long i = 0; i < n; i++) {
        made[static_cast<size_t>(i)] = static_cast<float>(i % modulo);
    }
    return made;
}

void measureArrays(Answer& answer, long n) {
    constexpr long kBlocks = 512;
    auto size = static_cast<size_t>(n);
    Floats a(size, 1.0f);
    Floats b(size, 2.0f);
    Floats c(size, 0.0f);
    Floats sums(kBlocks);
    answer.measure("vector add", [&] { add(a.data(), b.data(), c.data(), n); });
    answer.measure("reduction", [&] { reduce(c.data(), n, sums.data(), kBlocks); });
    answer.check(c.back());
    float all = 0;
    for (float sum : sums) {
        all += sum;
    }
    answer.check(all);
}

void measureMatrices(Answer& answer, long n) {
    Floats rows = counted(n * n, 7);
    Floats other(rows.size());
    Floats product(rows.size());
    for (long i = 0; i < n * n; i++) {
        other[static_cast<size_t>(i % n * n + i / n)] = rows[static_cast<size_t>(i)];
    }
    answer.measure("matmul", [&] { multiply(rows.data(), other.data(), product.data(), n); });
    answer.check(product[static_cast<size_t>(n + 2)]);
    answer.measure("plain matmul", [&] { multiplyPlainly(rows.data(), other.data(), product.data(), n); });
    answer.check(product[static_cast<size_t>(n + 2)]);
}

void measureGrids(Answer& answer, long n, long picture) {
    Floats old = counted(n * n, 11);
    Floats made(old.size());
    std::vector<int> out(static_cast<size_t>(picture * picture));
    answer.measure("stencil", [&] { smooth(old.data(), made.data(), n); });
    answer.measure("mandelbrot", [&] { draw(out.data(), picture); });
    answer.check(made[static_cast<size_t>(7 * n + 5)]);
    double all = 0;
    for (int count : out) {
        all += count;
    }
    answer.check(all);
}

void measureBodies(Answer& answer, long n) {
    Floats x = counted(n, 13);
    Floats y(x.size());
    Floats z(x.size());
    Floats out(x.size());
    for (size_t i = 0; i < x.size(); i++) {
        y[i] = std::fmod(x[i], 5.0f);
        z[i] = std::fmod(x[i], 3.0f);
    }
    answer.measure("n-body", [&] { pull(x.data(), y.data(), z.data(), out.data(), n); });
    answer.check(std::round(out[1] * 10.0f) / 10.0f);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 6) {
        return 2;
    }
    Answer answer;
    measureArrays(answer, std::atol(argv[1]));
    measureMatrices(answer, std::atol(argv[2]));
    measureGrids(answer, std::atol(argv[3]), std::atol(argv[4]));
    measureBodies(answer, std::atol(argv[5]));
    std::printf("{\"figures\": {%s}, \"checks\": [%s]}\n", answer.figures.c_str(), answer.checks.c_str());
    return 0;
}
