/* The value of the regret with N experts, for T = 1, ..., LAST, and where a rank rule is
 * not optimal.  Whole numbers of 128 bits: exact for LAST <= 120.
 *
 *     cc -O2 -DN=5 regret.c -o regret && ./regret 120 01011
 *
 * A line for each T: T, 2^T times the value, and at how many of the positions that T rounds
 * before the end of a game of at most LAST rounds are possible the rule is not a best split.
 * A position is the gaps of the other experts to the best one, in order; a gap of more than
 * the rounds to come is as good as one of that many. */
#include <stdio.h>
#include <stdlib.h>
#define M (N - 1)
typedef __int128 whole;
static long choose[160][N + 1];

static long place(const int *gap) { /* the number of a sorted list of gaps */
    long at = 0;
    for (int i = 0; i < M; i++) at += choose[gap[i] + i][i + 1];
    return at;
}

static void print(whole x) {
    if (x > 9) print(x / 10);
    putchar('0' + (int)(x % 10));
}

/* What follows if the experts in `wrong` (a bit for each rank) err: units of 2^-(r-1). */
static whole after(const int *gap, int wrong, int r, const whole *before) {
    int L[N], g[M];
    for (int i = 0; i < N; i++) L[i] = (i ? gap[i - 1] : 0) + (wrong >> i & 1);
    for (int i = 1; i < N; i++)
        for (int j = i; j && L[j - 1] > L[j]; j--) {
            int high = L[j - 1]; L[j - 1] = L[j]; L[j] = high;
        }
    for (int i = 0; i < M; i++) g[i] = L[i + 1] - L[0] < r ? L[i + 1] - L[0] : r - 1;
    return before[place(g)] - ((whole)L[0] << (r - 1));
}

int main(int argc, char **argv) {
    int last = argc > 2 ? atoi(argv[1]) : 0, rule = 0;
    if (last < 1 || last > 120) return fprintf(stderr, "1 <= LAST <= 120, and a rule\n"), 2;
    for (int i = 0; i < N; i++) rule |= (argv[2][i] == '1') << i;
    for (int n = 0; n < 160; n++)
        for (int k = 0; k <= N; k++)
            choose[n][k] = k ? (n ? choose[n - 1][k - 1] + choose[n - 1][k] : 0) : 1;
    whole *before = calloc(choose[last / 2 + N][M], sizeof(whole)),
          *now = calloc(choose[last / 2 + N][M], sizeof(whole));
    for (int r = 1; r <= last; r++) {
        int most = r < last - r ? r : last - r, gap[M] = {0};
        long missed = 0;
        for (;;) {
            whole best = -1, ruled = 0;
            for (int S = 0; S < 1 << N; S += 2) { /* the first one is right, or its twin */
                whole v = ((whole)1 << (r - 1)) + after(gap, S, r, before)
                        + after(gap, ~S & ((1 << N) - 1), r, before);
                if (v > best) best = v;
                if (S == rule) ruled = v;
            }
            now[place(gap)] = best;
            missed += ruled < best;
            int i = 0; /* the next sorted list of gaps */
            while (i < M - 1 && gap[i] == gap[i + 1]) gap[i++] = 0;
            if (++gap[i] > most) break;
        }
        whole *swap = before; before = now; now = swap;
        printf("%d ", r); print(before[0]); printf(" %ld\n", missed);
    }
    return 0;
}
