// What smooths noise: OpenCV's bilateral filter takes twice as long, since it looks up each
// weight twice, for either pixel of a pair.
#include "pixels.h"
#include "wide.h"

#include <string.h>

enum {
	reach = 2,          // pixels
	margin = 2 * reach, // pixels beyond a row's ends
	rows_kept = 8,      // more than those within reach of a row
	steps = 6,          // from a pixel to those after it that are within reach
	lengths = 3,        // of a step: one pixel, a diagonal, two pixels
	channels = 3
};

// step is a step to a pixel within reach, and which of the lengths it has.
static const struct { int right, down, length; } step[steps] = {{1, 0, 0}, {2, 0, 2}, {-1, 1, 1}, {0, 1, 0}, {1, 1, 1}, {0, 2, 2}};

// kept are some rows with a margin at both ends, as bytes and as numbers, and how much each
// pixel and that of a step count for each other. All begin with the margin.
struct kept {
	int wide, high, row; // row is how many pixels a row with its margins has
	uint8_t *bytes;
	float *numbers, *weights;
	uint16_t *apart;
};

static uint8_t *bytes_of(const struct kept *k, int y, int channel) {
	return k->bytes + (size_t)((y & (rows_kept - 1)) * channels + channel) * k->row + margin;
}

static float *numbers_of(const struct kept *k, int y, int channel) {
	return k->numbers + (size_t)((y & (rows_kept - 1)) * channels + channel) * k->row + margin;
}

static float *weights_of(const struct kept *k, int y, int s) {
	return k->weights + (size_t)((y & (rows_kept - 1)) * steps + s) * k->row + margin;
}

// mirrored is a place in a row of n, or the one that a place beyond its ends mirrors.
static inline int mirrored(int at, int n) {
	if (n == 1) return 0;
	while (at < 0 || at >= n) at = at < 0 ? -at : 2 * n - 2 - at;
	return at;
}

WIDE static void split(const uint8_t *restrict pixels, uint8_t *restrict red, uint8_t *restrict green, uint8_t *restrict blue, int n) {
	for (int x = 0; x < n; x++) {
		red[x] = pixels[4 * x];
		green[x] = pixels[4 * x + 1];
		blue[x] = pixels[4 * x + 2];
	}
}

WIDE static void as_numbers(const uint8_t *restrict from, float *restrict to, int n) {
	for (int x = 0; x < n; x++) to[x] = from[x];
}

// keep_row keeps a row, or what mirrors it beyond the picture.
static void keep_row(const struct kept *k, const uint8_t *pixels, int stride, int y) {
	split(pixels + (size_t)mirrored(y, k->high) * stride, bytes_of(k, y, 0), bytes_of(k, y, 1), bytes_of(k, y, 2), k->wide);
	for (int c = 0; c < channels; c++) {
		uint8_t *row = bytes_of(k, y, c);
		for (int x = 1; x <= margin; x++) {
			row[-x] = row[mirrored(-x, k->wide)];
			row[k->wide - 1 + x] = row[mirrored(k->wide - 1 + x, k->wide)];
		}
		as_numbers(row - margin, numbers_of(k, y, c) - margin, k->row);
	}
}

static inline uint8_t differ(uint8_t a, uint8_t b) {
	uint8_t more = a > b ? a : b, less = a > b ? b : a;
	return more - less;
}

WIDE static void differences(const uint8_t *restrict a, const uint8_t *restrict b, int plane, uint16_t *restrict to, int n) {
	for (int x = 0; x < n; x++) {
		uint16_t red = differ(a[x], b[x]), green = differ(a[x + plane], b[x + plane]), blue = differ(a[x + 2 * plane], b[x + 2 * plane]);
		to[x] = (uint16_t)(red + green) + blue;
	}
}

// weigh tells how much the pixels of a row and those of each step count for each other.
static void weigh(const struct kept *k, const float *weights, int y) {
	for (int s = 0; s < steps; s++) {
		const float *of = weights + step[s].length * tapwise_apart;
		differences(bytes_of(k, y, 0) - reach, bytes_of(k, y + step[s].down, 0) - reach + step[s].right, k->row, k->apart, k->wide + 2 * reach);
		float *to = weights_of(k, y, s) - reach;
		for (int x = 0; x < k->wide + 2 * reach; x++) to[x] = of[k->apart[x]];
	}
}

enum { piece = 128 }; // pixels, whose sums stay in the fastest cache

struct sums { float weight[piece], channel[channels][piece]; };

// neighbours are those to which a step leads from pixels of a row, and those from which it
// leads there.
struct neighbours {
	const float *weight_after, *after, *weight_before, *before;
};

static inline float both(const struct neighbours *n, int x, int plane) {
	return n->weight_after[x] * n->after[x + plane] + n->weight_before[x] * n->before[x + plane];
}

WIDE static void add(struct sums *restrict all, const struct neighbours *some, int plane, int n) {
	struct neighbours a = some[0], b = some[1], c = some[2];
	for (int x = 0; x < n; x++) {
		all->weight[x] += a.weight_after[x] + a.weight_before[x] + b.weight_after[x] + b.weight_before[x] + c.weight_after[x] + c.weight_before[x];
		all->channel[0][x] += both(&a, x, 0) + both(&b, x, 0) + both(&c, x, 0);
		all->channel[1][x] += both(&a, x, plane) + both(&b, x, plane) + both(&c, x, plane);
		all->channel[2][x] += both(&a, x, 2 * plane) + both(&b, x, 2 * plane) + both(&c, x, 2 * plane);
	}
}

WIDE static void finish(const struct sums *restrict all, uint32_t *restrict to, int n) {
	for (int x = 0; x < n; x++) {
		float part = 1 / all->weight[x];
		int32_t red = all->channel[0][x] * part + 0.5f, green = all->channel[1][x] * part + 0.5f, blue = all->channel[2][x] * part + 0.5f;
		to[x] = red | green << 8 | blue << 16 | 0xff000000;
	}
}

// mix writes a row in which each pixel is mixed with those within reach.
static void mix(const struct kept *k, int y, uint8_t *to) {
	for (int first = 0; first < k->wide; first += piece) {
		int n = k->wide - first < piece ? k->wide - first : piece;
		struct sums all;
		for (int x = 0; x < n; x++) all.weight[x] = 1; // the pixel itself
		for (int c = 0; c < channels; c++) memcpy(all.channel[c], numbers_of(k, y, c) + first, n * sizeof(float));
		struct neighbours near[steps];
		for (int s = 0; s < steps; s++) {
			int right = step[s].right, down = step[s].down;
			near[s] = (struct neighbours){
				weights_of(k, y, s) + first, numbers_of(k, y + down, 0) + first + right,
				weights_of(k, y - down, s) + first - right, numbers_of(k, y - down, 0) + first - right};
		}
		for (int s = 0; s < steps; s += 3) add(&all, near + s, k->row, n);
		uint32_t mixed[piece];
		finish(&all, mixed, n);
		memcpy(to + (size_t)4 * first, mixed, n * sizeof(uint32_t));
	}
}

// tapwise_smooth_room is the number of bytes of room that smoothing takes.
size_t tapwise_smooth_room(int wide) {
	size_t row = wide + 2 * margin;
	return rows_kept * row * (channels * (sizeof(float) + 1) + steps * sizeof(float)) + row * sizeof(uint16_t);
}

// tapwise_smooth mixes each pixel with those at most two pixels away. The weights are, for
// steps of one pixel, of a diagonal and of two pixels, how much pixels count whose channels
// differ by so much together, as a share of what the pixel itself does.
void tapwise_smooth(const uint8_t *pixels, int stride, int wide, int high, const float *weights, uint8_t *to, void *room) {
	struct kept k = {wide, high, wide + 2 * margin};
	size_t row = k.row;
	k.numbers = room;
	k.weights = k.numbers + rows_kept * channels * row;
	k.apart = (uint16_t *)(k.weights + rows_kept * steps * row);
	k.bytes = (uint8_t *)(k.apart + row);
	for (int y = -reach; y < 0; y++) keep_row(&k, pixels, stride, y);
	for (int y = -reach; y < high; y++) {
		keep_row(&k, pixels, stride, y + reach);
		weigh(&k, weights, y);
		if (y >= 0) mix(&k, y, to + (size_t)4 * wide * y);
	}
}
