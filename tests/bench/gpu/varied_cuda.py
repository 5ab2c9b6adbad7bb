"""Some of the varied kernels as one writes them in CUDA C++. Arrays are passed as addresses, and behind all arguments the sizes that `sizes` gives."""

PLACE = "int i = blockIdx.x * blockDim.x + threadIdx.x;"
SQUARE = "int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;"


def kernel(parameters: str, body: str) -> str:
    return f'extern "C" __global__ void measured({parameters}) {{\n{body}\n}}'


def length(argument: int):
    """One size: of an argument's first dimension."""
    return lambda arguments: [arguments[argument].shape[0]]


SOURCES = {
    "saxpy": (length(1), kernel("float a, const float* x, float* y, int n", PLACE + "if (i < n) y[i] = a * x[i] + y[i];")),
    "Black-Scholes": (length(0), kernel("const float* price, const float* strike, const float* years, float* call, float* put, int n", PLACE + """
    if (i >= n) return;
    float rate = 0.02f, volatility = 0.3f, spread = volatility * sqrtf(years[i]);
    float d1 = (logf(price[i] / strike[i]) + (rate + 0.5f * volatility * volatility) * years[i]) / spread, d2 = d1 - spread;
    float n1 = 0.5f * (1 + erff(d1 * 0.70710678f)), n2 = 0.5f * (1 + erff(d2 * 0.70710678f)), discount = expf(-rate * years[i]);
    call[i] = price[i] * n1 - strike[i] * discount * n2;
    put[i] = strike[i] * discount * (1 - n2) - price[i] * (1 - n1);""")),
    "stencil of 17, shared memory": (length(0), kernel("const float* x, float* out, int n", PLACE + """
    __shared__ float tile[256 + 16];
    int here = threadIdx.x + 8;
    if (i < n) {
        tile[here] = x[i];
        if (threadIdx.x < 8) {
            tile[here - 8] = i >= 8 ? x[i - 8] : 0;
            tile[here + 256] = i + 256 < n ? x[i + 256] : 0;
        }
    }
    __syncthreads();
    if (i < n) {
        float total = 0;
        for (int k = -8; k < 9; k++) total += tile[here + k];
        out[i] = total;
    }""")),
    "dot product, float64": (length(0), kernel("const double* a, const double* b, double* out, int n", """
    __shared__ double parts[256];
    double mine = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) mine += a[i] * b[i];
    parts[threadIdx.x] = mine;
    __syncthreads();
    for (int step = blockDim.x / 2; step > 0; step /= 2) {
        if (threadIdx.x < step) parts[threadIdx.x] += parts[threadIdx.x + step];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = parts[0];""")),
    "histogram, shared memory": (length(0), kernel("const unsigned char* values, int* counts, int n", """
    __shared__ int mine[256];
    mine[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(mine + values[i], 1);
    __syncthreads();
    atomicAdd(counts + threadIdx.x, mine[threadIdx.x]);""")),
    "bitonic sort, a step": (length(0), kernel("int* values, long long j, long long k, int n", PLACE + """
    int other = i ^ (int)j;
    if (other > i) {
        bool rises = (i & (int)k) == 0;
        int a = values[i], b = values[other];
        if ((a > b) == rises) {
            values[i] = b;
            values[other] = a;
        }
    }""")),
    "transpose": (length(0), kernel("const float* a, float* out, int n", SQUARE + "if (row < n && column < n) out[column * n + row] = a[row * n + column];")),
    "transpose, shared memory": (length(0), kernel("const float* a, float* out, int n", """
    __shared__ float tile[16][17];
    int tx = threadIdx.x, ty = threadIdx.y, bx = blockIdx.x * 16, by = blockIdx.y * 16;
    if (by + ty < n && bx + tx < n) tile[ty][tx] = a[(by + ty) * n + bx + tx];
    __syncthreads();
    if (bx + ty < n && by + tx < n) out[(bx + ty) * n + by + tx] = tile[tx][ty];""")),
    "stencil of 5, 2-d": (length(0), kernel("const float* old, float* next, int n", SQUARE + """
    if (row > 0 && row < n - 1 && column > 0 && column < n - 1) {
        const float* at = old + row * n + column;
        next[row * n + column] = *at + 0.1f * (at[-n] + at[n] + at[-1] + at[1] - 4 * *at);
    }""")),
    "game of life, uint8": (length(0), kernel("const unsigned char* old, unsigned char* next, int n", SQUARE + """
    if (row >= n || column >= n) return;
    int around = 0;
    for (int dy = -1; dy < 2; dy++)
        for (int dx = -1; dx < 2; dx++)
            if (dx != 0 || dy != 0) around += old[(row + dy + n) % n * n + (column + dx + n) % n];
    next[row * n + column] = around == 3 || (around == 2 && old[row * n + column] == 1);""")),
    "matmul, shared memory": (length(0), kernel("const float* a, const float* b, float* c, int n", SQUARE + """
    __shared__ float x[16][16], y[16][16];
    int tx = threadIdx.x, ty = threadIdx.y;
    float total = 0;
    for (int tile = 0; tile < n / 16; tile++) {
        x[ty][tx] = a[row * n + tile * 16 + tx];
        y[ty][tx] = b[(tile * 16 + ty) * n + column];
        __syncthreads();
        for (int k = 0; k < 16; k++) total += x[ty][k] * y[k][tx];
        __syncthreads();
    }
    c[row * n + column] = total;""")),
    "matmul": (length(0), kernel("const float* a, const float* b, float* c, int n", SQUARE + """
    if (row >= n || column >= n) return;
    float total = 0;
    for (int k = 0; k < n; k++) total += a[row * n + k] * b[k * n + column];
    c[row * n + column] = total;""")),
    "sparse matrix by vector": (length(4), kernel("const int* starts, const int* columns, const double* values, const double* x, double* out, int n", PLACE + """
    if (i >= n) return;
    double total = 0;
    for (int k = starts[i]; k < starts[i + 1]; k++) total += values[k] * x[columns[k]];
    out[i] = total;""")),
    "nearest of 32 centres": (lambda arguments: [*arguments[0].shape, len(arguments[1])], kernel("const float* points, const float* centres, int* out, int n, int size, int count", PLACE + """
    if (i >= n) return;
    float best = 1e30f;
    for (int k = 0; k < count; k++) {
        float distance = 0;
        for (int d = 0; d < size; d++) {
            float difference = points[i * size + d] - centres[k * size + d];
            distance += difference * difference;
        }
        if (distance < best) {
            best = distance;
            out[i] = k;
        }
    }""")),
    "n-body": (length(0), kernel("const float* x, const float* y, const float* z, float* out, int n", PLACE + """
    if (i >= n) return;
    float total = 0;
    for (int j = 0; j < n; j++) {
        float dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
        float near = 1 / sqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
        total += dx * near * near * near;
    }
    out[i] = total;""")),
}
