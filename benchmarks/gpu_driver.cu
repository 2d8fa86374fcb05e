// A tiny program around kernel.cu, for machines with a GPU and nvcc but without CuPy. benchmarks/gpu.py builds it with
// its macros, hands it a file of arguments, and reads back the counts and the best time.
//
//   driver ARGUMENTS COUNTS STRANDS REPEATS SHARED_BYTES
//
// ARGUMENTS: u64 start, stop, burn_card, number of jumps, of words, of ends; then the jumps (u64), words and ends (u32).
// COUNTS: codes then lengths, u64. Prints the best seconds for one launch of STRANDS strands.

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "../src/punto/simulation/kernel.cu"

static void check(cudaError_t error) {
    if (error != cudaSuccess) {
        fprintf(stderr, "%s\n", cudaGetErrorString(error));
        exit(1);
    }
}

template <class T> static T *on_device(FILE *file, size_t count) {
    std::vector<T> host(count);
    if (fread(host.data(), sizeof(T), count, file) != count) exit(2);
    T *device;
    check(cudaMalloc(&device, count * sizeof(T)));
    check(cudaMemcpy(device, host.data(), count * sizeof(T), cudaMemcpyHostToDevice));
    return device;
}

int main(int, char **argv) {
    FILE *in = fopen(argv[1], "rb");
    u64 head[6];
    if (!in || fread(head, 8, 6, in) != 6) return 2;
    u64 *jumps = on_device<u64>(in, head[3]);
    u32 *full = on_device<u32>(in, head[4]), *ends = on_device<u32>(in, head[5]);
    const u32 strands = strtoul(argv[3], 0, 10);
    const int repeats = atoi(argv[4]), shared = atoi(argv[5]);
    const u64 stride = 400 * 196 + 1;
    const size_t counts = ROWS * stride + MAX_ROUNDS;
    u64 *codes;
    check(cudaMalloc(&codes, counts * 8));
    check(cudaFuncSetAttribute(deal, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
    check(cudaFuncSetAttribute(deal, cudaFuncAttributePreferredSharedMemoryCarveout, 100));
    cudaEvent_t begin, end;
    check(cudaEventCreate(&begin));
    check(cudaEventCreate(&end));
    float best = 1e30f;
    for (int i = 0; i <= repeats; ++i) {  // the first is not timed
        check(cudaMemset(codes, 0, counts * 8));
        check(cudaEventRecord(begin));
        deal<<<(strands + THREADS - 1) / THREADS, THREADS, shared>>>(head[0], jumps, 0, strands, full, head[1], head[2], ends,
                                                                     codes, stride, codes + ROWS * stride);
        check(cudaGetLastError());
        check(cudaEventRecord(end));
        check(cudaEventSynchronize(end));
        float ms;
        check(cudaEventElapsedTime(&ms, begin, end));
        if (i && ms < best) best = ms;
    }
    std::vector<u64> host(counts);
    check(cudaMemcpy(host.data(), codes, counts * 8, cudaMemcpyDeviceToHost));
    FILE *out = fopen(argv[2], "wb");
    if (!out || fwrite(host.data(), 8, counts, out) != counts) return 2;
    fclose(out);
    printf("%.9f\n", best * 1e-3);
    return 0;
}
