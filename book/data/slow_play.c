/* Slow fictitious play in small zero-sum games: plays games by runs, in whole numbers.

   cc -O2 -o slow_play slow_play.c -lm
   ./slow_play square N R    all N x N games with the payoffs 0..R, up to symmetry
   ./slow_play twins N R     all antisymmetric ones with -R..R, twins with equal weights
   ./slow_play random N COUNT  COUNT games N x N with payoffs 0..9
   ./slow_play play N 0      one play, whose payoffs and weights times P are read

   Initial weights are multiples of 1/P, drawn anew until no two totals of a player have
   the same fractional part: then no tie is ever met.  Each game is played from three
   starts to round 10^7; the KEPT plays with the most runs and the KEPT ones with the
   largest growth since round 10^4 are played on to 10^12 and printed: payoffs, weights
   times P, and after 10^3, 10^4, ..., 10^12 rounds the runs completed and the gap of the
   totals times P.  Compiled with -DFAR it plays to 10^16, with whole numbers of 128 bits. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef FAR
enum { LAST = 16 };
typedef __int128 whole;
#else
enum { LAST = 12 };
typedef int64_t whole;
#endif
enum { MAX = 6, P = 10007, KEPT = 8, FIRST = 3 };
#define NEVER ((whole)1 << (8 * sizeof(whole) - 2))
typedef struct { int A[MAX][MAX]; whole k[2][MAX]; double runs[LAST + 1], score; whole gap[LAST + 1]; } Play;

static int n, r, twins;
static long games, saddles, plays, endless;
static Play best[2][KEPT];

static uint64_t draw(void) {  /* xorshift, Marsaglia */
    static uint64_t x = 88172645463325252ULL;
    x ^= x << 13; x ^= x >> 7; x ^= x << 17;
    return x;
}

/* Runs after 10^FIRST .. 10^last rounds: 1; 0 if a run never ends, -1 if ties could be. */
static int play(Play *g, int last) {
    whole U[MAX] = {0}, V[MAX] = {0}, t = 0, limit = 1000;
    double runs = 0;
    int e = FIRST;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            U[i] += g->A[i][j] * g->k[0][j];
            V[i] -= g->A[j][i] * g->k[1][j];
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            if ((U[i] - U[j]) % P == 0 || (V[i] - V[j]) % P == 0) return -1;
    while (1) {
        int a = 0, b = 0;
        whole rounds = NEVER;
        for (int i = 1; i < n; i++) { if (U[i] > U[a]) a = i; if (V[i] > V[b]) b = i; }
        for (int i = 0; i < n; i++) {
            whole gain = (g->A[i][b] - g->A[a][b]) * (whole)P;
            if (gain > 0 && (U[a] - U[i]) / gain < rounds) rounds = (U[a] - U[i]) / gain;
            gain = (g->A[a][b] - g->A[a][i]) * (whole)P;
            if (gain > 0 && (V[b] - V[i]) / gain < rounds) rounds = (V[b] - V[i]) / gain;
        }
        if (rounds == NEVER) return 0;
        rounds++;
        for (; t + rounds > limit; limit *= 10) {
            g->runs[e] = runs;
            g->gap[e] = U[a] + V[b];
            if (e++ == last) return 1;
        }
        t += rounds;
        runs++;
        for (int i = 0; i < n; i++) {
            U[i] += rounds * P * g->A[i][b];
            V[i] -= rounds * P * g->A[a][i];
        }
    }
}

static void keep(Play *list, const Play *g, double score) {
    int worst = 0;
    for (int i = 1; i < KEPT; i++) if (list[i].score < list[worst].score) worst = i;
    if (score > list[worst].score) { list[worst] = *g; list[worst].score = score; }
}

static void try_game(int A[MAX][MAX]) {
    static const int size[3] = {40, P, 10 * P};
    Play g;
    int top = -99, low = 99;
    games++;
    memcpy(g.A, A, sizeof g.A);
    for (int i = 0; i < n; i++) {  /* a saddle point ends every play */
        int row = 99, column = -99;
        for (int j = 0; j < n; j++) {
            if (A[i][j] < row) row = A[i][j];
            if (A[j][i] > column) column = A[j][i];
        }
        if (row > top) top = row;
        if (column < low) low = column;
    }
    if (top == low) { saddles++; return; }
    for (int s = 0; s < 3; s++) {
        int found = -1;
        for (int i = 0; i < 50 && found < 0; i++) {
            for (int j = 0; j < n; j++) {
                g.k[0][j] = draw() % size[s] + 1;
                g.k[1][j] = twins ? g.k[0][j] : (whole)(draw() % size[s] + 1);
            }
            found = play(&g, 7);
        }
        plays += found >= 0;
        endless += found == 0;
        if (found == 1) {
            keep(best[0], &g, g.runs[7]);
            keep(best[1], &g, g.runs[7] / (g.runs[4] + 1));
        }
    }
}

/* Only the game that is first among all that permutations and exchange make of it. */
static int perms[720][MAX], count;
static void permute(int *p, int k) {
    if (k == n) memcpy(perms[count++], p, n * sizeof *p);
    for (int i = k; i < n; i++) {
        int t = p[k]; p[k] = p[i]; p[i] = t;
        permute(p, k + 1);
        t = p[k]; p[k] = p[i]; p[i] = t;
    }
}
static int code(int A[MAX][MAX], int i, const int *columns) {
    int c = 0;
    for (int j = 0; j < n; j++) c = c * (2 * r + 1) + A[i][columns[j]] + r;
    return c;
}
static int first(int A[MAX][MAX], int B[MAX][MAX]) {
    for (int q = 0; q < count; q++) {
        int rows[MAX], less = 0;
        for (int i = 0; i < n; i++) {
            int k = i, c = code(B, twins ? perms[q][i] : i, perms[q]);
            for (; !twins && k && rows[k - 1] > c; k--) rows[k] = rows[k - 1];
            rows[k] = c;
        }
        for (int i = 0; i < n && !less; i++) less = rows[i] - code(A, i, perms[0]);
        if (less < 0) return 0;
    }
    return 1;
}
static void consider(int A[MAX][MAX]) {
    int B[MAX][MAX], least = 99, most = -99, divisor = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            int a = divisor, b = abs(A[i][j]);
            while (b) { int t = a % b; a = b; b = t; }
            divisor = a;
            if (A[i][j] < least) least = A[i][j];
            if (A[i][j] > most) most = A[i][j];
        }
    if (divisor != 1 || (!twins && least)) return;  /* scaled or shifted copies */
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {  /* equal actions */
            int rows = 1, columns = 1;
            for (int k = 0; k < n; k++) {
                rows &= A[i][k] == A[j][k];
                columns &= A[k][i] == A[k][j];
            }
            if (rows || columns) return;
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) B[i][j] = most - A[j][i];
    if (first(A, A) && (twins || first(A, B))) try_game(A);
}
static void fill(int A[MAX][MAX], int i, int j) {
    if (twins && j <= i) { A[i][i] = 0; j = i + 1; }
    if (j >= n) { i++; j = 0; if (twins && i < n) { A[i][i] = 0; j = i + 1; } }
    if (i == n || (twins && i == n - 1)) { consider(A); return; }
    if (!twins && j == 0 && i > 1 && code(A, i - 2, perms[0]) >= code(A, i - 1, perms[0]))
        return;
    for (int v = twins ? -r : 0; v <= r; v++) {
        A[i][j] = v;
        if (twins) A[j][i] = -v;
        fill(A, i, j + 1);
    }
}

static void print(const Play *g) {
    for (int i = 0; i < n * n; i++) printf("%d ", g->A[i / n][i % n]);
    for (int i = 0; i < 2 * n; i++) printf("%ld ", (long)g->k[i / n][i % n]);
    for (int e = FIRST; e <= LAST; e++) printf("%.0f ", g->runs[e]);
    for (int e = FIRST; e <= LAST; e++) printf("%ld ", (long)g->gap[e]);
    puts("");
}

int main(int argc, char **argv) {
    int A[MAX][MAX] = {{0}}, p[MAX] = {0, 1, 2, 3, 4, 5};
    if (argc < 4) return 1;
    n = atoi(argv[2]); r = atoi(argv[3]); twins = !strcmp(argv[1], "twins");
    permute(p, 0);
    if (!strcmp(argv[1], "play")) {
        Play g;
        long v;
        for (int i = 0; i < n * n + 2 * n && scanf("%ld", &v) == 1; i++)
            if (i < n * n) g.A[i / n][i % n] = v;
            else g.k[(i - n * n) / n][(i - n * n) % n] = v;
        play(&g, LAST);
        print(&g);
        return 0;
    }
    if (!strcmp(argv[1], "random"))
        for (long c = r; c--; try_game(A))
            for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) A[i][j] = draw() % 10;
    else
        fill(A, 0, 0);
    printf("# %s %d %d: %ld games, %ld with a saddle point, %ld plays, %ld settled\n",
           argv[1], n, r, games, saddles, plays, endless);
    for (int l = 0; l < 2; l++)
        for (int b = 0; b < KEPT && best[l][b].score > 0; b++) {
            play(&best[l][b], LAST);
            print(&best[l][b]);
        }
    return 0;
}
