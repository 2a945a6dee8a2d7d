#include "pixels.h"
#include "wide.h"

#include <stddef.h>
#include <string.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "a pixel's first byte is taken for the least"
#endif

// four_bytes are a pixel, which may lie anywhere.
typedef uint32_t four_bytes __attribute__((may_alias, aligned(1)));

// pick writes the lesser or the greater of each two bytes.
static inline void pick(const uint8_t *a, const uint8_t *b, uint8_t *restrict to, int n, int greatest) {
	if (greatest) {
		for (int i = 0; i < n; i++) to[i] = a[i] > b[i] ? a[i] : b[i];
	} else {
		for (int i = 0; i < n; i++) to[i] = a[i] < b[i] ? a[i] : b[i];
	}
}

// pick_into is pick where the result replaces the first of both.
static inline void pick_into(uint8_t *restrict to, const uint8_t *restrict b, int n, int greatest) {
	if (greatest) {
		for (int i = 0; i < n; i++) to[i] = to[i] > b[i] ? to[i] : b[i];
	} else {
		for (int i = 0; i < n; i++) to[i] = to[i] < b[i] ? to[i] : b[i];
	}
}

// window_down takes the least or greatest byte of each column in a window of rows.
// Rows beyond the picture do not count. Windows are doubled until two of them, which
// overlap, make the whole one. That is done for as few rows at a time as a window has, so
// that they stay in the processor's cache: there is room for twice as many.
WIDE static void window_down(const uint8_t *from, uint8_t *to, int wide, int high, int size, int greatest, uint8_t *room) {
	int rows = 1, before = size / 2;
	while (rows < size) rows *= 2;
	for (int last = 0; last < high + size - 1; last++) {
		uint8_t *row = room + (size_t)(last & (rows - 1)) * wide;
		if (last < before || last - before >= high)
			memset(row, greatest ? 0 : 255, wide);
		else
			memcpy(row, from + (size_t)(last - before) * wide, wide);
		int length = 1;
		for (; 2 * length <= size; length *= 2) {
			int first = last - 2 * length + 1;
			if (first >= 0) pick_into(room + (size_t)(first & (rows - 1)) * wide, room + (size_t)((first + length) & (rows - 1)) * wide, wide, greatest);
		}
		int first = last - size + 1;
		if (first >= 0) pick(room + (size_t)(first & (rows - 1)) * wide, room + (size_t)((first + size - length) & (rows - 1)) * wide, to + (size_t)first * wide, wide, greatest);
	}
}

// window_across is window_down for each row in a window of columns. Windows are doubled
// until two of them, which overlap, make the whole one.
WIDE static void window_across(const uint8_t *from, uint8_t *to, int wide, int high, int size, int greatest, uint8_t *room) {
	int all = wide + size - 1, before = size / 2;
	for (int y = 0; y < high; y++) {
		uint8_t *have = room, *next = room + all;
		memset(have, greatest ? 0 : 255, all);
		memcpy(have + before, from + (size_t)y * wide, wide);
		int length = 1;
		for (; 2 * length <= size; length *= 2) {
			pick(have, have + length, next, all - 2 * length + 1, greatest);
			uint8_t *swap = have;
			have = next;
			next = swap;
		}
		pick(have, have + size - length, to + (size_t)y * wide, wide, greatest);
	}
}

// tapwise_window writes the least or the greatest byte in a window around each byte of a
// picture; bytes beyond the picture do not count. Before the byte lie half of a window's
// columns and rows, rounded down. From and to are different pictures. There is room for
// one more picture, for two more rows with a window at their end, and for twice as many
// rows as a window has.
void tapwise_window(const uint8_t *from, uint8_t *to, int wide, int high, int across, int down, int greatest, uint8_t *room) {
	if (across > 1 && down > 1) {
		uint8_t *rows = room + (size_t)wide * high;
		window_across(from, room, wide, high, across, greatest, rows);
		window_down(room, to, wide, high, down, greatest, rows);
	} else if (across > 1) {
		window_across(from, to, wide, high, across, greatest, room);
	} else {
		window_down(from, to, wide, high, down, greatest, room);
	}
}

// tapwise_rest subtracts bytes from others, which stay; what would be negative is 0.
WIDE void tapwise_rest(const uint8_t *restrict from, uint8_t *restrict to, int n) {
	for (int i = 0; i < n; i++) to[i] = from[i] > to[i] ? from[i] - to[i] : 0;
}

// level_of is the level of a pixel: the greatest of its first three bytes or, on a light
// background, 255 less the least.
static inline int32_t level_of(uint32_t pixel, int dark) {
	int32_t red = pixel & 0xff, green = pixel >> 8 & 0xff, blue = pixel >> 16 & 0xff;
	if (dark) {
		int32_t most = red > green ? red : green;
		return most > blue ? most : blue;
	}
	int32_t least = red < green ? red : green;
	return 255 - (least < blue ? least : blue);
}

// tapwise_halve writes the levels of a picture at half its resolution, wide by high: of
// each four pixels the rounded mean of every channel and, of the first three channels,
// the greatest or, on a light background, 255 less the least.
WIDE void tapwise_halve(const uint8_t *pixels, int stride, int wide, int high, int dark, uint8_t *level) {
	enum { piece = 256 }; // pixels, whose sums stay in the fastest cache
	uint32_t even[2 * piece], odd[2 * piece];
	for (int y = 0; y < high; y++) {
		const four_bytes *upper = (const four_bytes *)(pixels + (size_t)2 * y * stride);
		const four_bytes *lower = (const four_bytes *)(pixels + (size_t)(2 * y + 1) * stride);
		for (int x = 0; x < wide; x += piece) {
			int n = wide - x < piece ? wide - x : piece;
			const four_bytes *a = upper + 2 * x, *b = lower + 2 * x;
			for (int i = 0; i < 2 * n; i++) {
				even[i] = (a[i] & 0xff00ff) + (b[i] & 0xff00ff);
				odd[i] = (a[i] >> 8 & 0xff) + (b[i] >> 8 & 0xff);
			}
			uint8_t *to = level + (size_t)y * wide + x;
			for (int i = 0; i < n; i++) {
				uint32_t both = (even[2 * i] + even[2 * i + 1] + 0x20002) >> 2;
				int red = both & 0xff, blue = both >> 16 & 0xff;
				int green = (odd[2 * i] + odd[2 * i + 1] + 2) >> 2;
				if (dark) {
					int most = red > blue ? red : blue;
					to[i] = most > green ? most : green;
				} else {
					int least = red < blue ? red : blue;
					to[i] = 255 - (least < green ? least : green);
				}
			}
		}
	}
}

// tapwise_halve_thin is tapwise_halve with the greatest level of each four pixels, so that
// thin lines stay as they are: of a pixel whose column and row are even, and of those
// before it. There is room for a row of the picture and one more pixel.
WIDE void tapwise_halve_thin(const uint8_t *restrict pixels, int stride, int wide, int high, int dark, uint8_t *restrict level, uint8_t *restrict room) {
	room[0] = 0; // before the first column
	for (int y = 0; y < high; y++) {
		const four_bytes *lower = (const four_bytes *)(pixels + (size_t)2 * y * stride);
		const four_bytes *upper = y > 0 ? (const four_bytes *)((const uint8_t *)lower - stride) : lower;
		for (int x = 0; x < 2 * wide; x++) {
			int32_t a = level_of(upper[x], dark), b = level_of(lower[x], dark);
			room[x + 1] = a > b ? a : b;
		}
		uint8_t *to = level + (size_t)y * wide;
		for (int x = 0; x < wide; x++) to[x] = room[2 * x] > room[2 * x + 1] ? room[2 * x] : room[2 * x + 1];
	}
}

// tapwise_add_levels adds levels to n sums, at a number of places: of the pixels from the
// first on, step bytes apart, and each place is along bytes further. It goes from row to
// row, as the pixels lie in memory.
WIDE void tapwise_add_levels(const uint8_t *pixels, int step, int along, int places, int dark, int64_t *sum, int n) {
	enum { piece = 256 };
	if (step != 4) {
		for (int k = 0; k < n; k++) {
			const uint8_t *row = pixels + (ptrdiff_t)k * step;
			int32_t add = 0;
			if (along == 4) {
				for (int i = 0; i < places; i++) add += level_of(((const four_bytes *)row)[i], dark);
			} else {
				for (int i = 0; i < places; i++) add += level_of(*(const four_bytes *)(row + (ptrdiff_t)i * along), dark);
			}
			sum[k] += add;
		}
		return;
	}
	for (int first = 0; first < n; first += piece) {
		int32_t add[piece] = {0};
		int m = n - first < piece ? n - first : piece;
		for (int i = 0; i < places; i++) {
			const four_bytes *row = (const four_bytes *)(pixels + (ptrdiff_t)i * along + 4 * first);
			for (int k = 0; k < m; k++) add[k] += level_of(row[k], dark);
		}
		for (int k = 0; k < m; k++) sum[first + k] += add[k];
	}
}

// tapwise_add_slanted adds to n sums the levels of the pixels across a line, at each of
// its places. It returns 0 where some are not on the frame.
WIDE int tapwise_add_slanted(const struct tapwise_slant *s, const uint8_t *pixels, int stride, int dark, int64_t *sum, int n) {
	enum { piece = 64 };
	double far = n / 2 + 1;
	for (int i = 0; i < s->places; i++) {
		double part = s->from + s->length * 2 * (i + 0.5) / s->places;
		if (i >= s->places / 2) part += s->gap;
		double x = s->x + part * s->along_x, y = s->y + part * s->along_y;
		if (x < far || y < far || x >= s->wide - far || y >= s->high - far) return 0;
		// First where the pixels are, then the pixels, then their levels: the first and
		// the last of these loops take several at a time.
		for (int first = 0; first < n; first += piece) {
			int at[piece], m = n - first < piece ? n - first : piece;
			uint32_t found[piece];
			for (int k = 0; k < m; k++) {
				double off = first + k - n / 2;
				at[k] = (int)(y + off * s->across_y + 0.5) * stride + 4 * (int)(x + off * s->across_x + 0.5);
			}
			for (int k = 0; k < m; k++) found[k] = *(const four_bytes *)(pixels + at[k]);
			for (int k = 0; k < m; k++) sum[first + k] += level_of(found[k], dark);
		}
	}
	return 1;
}

// tapwise_levels_along writes the levels of the pixels nearest to n places, each a
// step further than the one before, so that x,y is in their middle. Each is the mean of a pixel and of those beside it
// across the direction, so many on either side. All of them must be on the frame.
WIDE void tapwise_levels_along(const uint8_t *pixels, int stride, int dark, double x, double y, double step_x, double step_y, int beside, int32_t *level, int n) {
	enum { piece = 64 };
	for (int first = 0; first < n; first += piece) {
		int m = n - first < piece ? n - first : piece;
		int at[piece];
		int32_t sum[piece] = {0};
		uint32_t found[piece];
		for (int o = -beside; o <= beside; o++) {
			for (int k = 0; k < m; k++) {
				double along = first + k - n / 2;
				double px = x + along * step_x, py = y + along * step_y;
				at[k] = (int)(py + o * step_x + 0.5) * stride + 4 * (int)(px - o * step_y + 0.5);
			}
			for (int k = 0; k < m; k++) found[k] = *(const four_bytes *)(pixels + at[k]);
			for (int k = 0; k < m; k++) sum[k] += level_of(found[k], dark);
		}
		for (int k = 0; k < m; k++) level[first + k] = sum[k] / (2 * beside + 1);
	}
}

// tapwise_gather writes the pixels of pieces of rows, relative to x,y, every step-th of
// each, without their fourth bytes, and returns how many there are. Those beyond the frame
// are left out.
int tapwise_gather(const uint8_t *pixels, int stride, int wide, int high, const struct tapwise_piece *pieces, int count, int step, int x, int y, uint32_t *found) {
	int n = 0;
	for (int i = 0; i < count; i++) {
		int row = y + pieces[i].y, from = x + pieces[i].from, to = x + pieces[i].to;
		if (row < 0 || row >= high) continue;
		while (from < 0) from += step;
		while (to >= wide) to -= step;
		const four_bytes *at = (const four_bytes *)(pixels + (size_t)row * stride);
		for (int k = from; k <= to; k += step) found[n++] = at[k] & 0xffffff;
	}
	return n;
}

// The lengths of the steps from pixel to pixel, in parts of 1/65536 of a pixel's side, as
// OpenCV's distance transform has them: to a neighbour, to a diagonal one, and a knight's
// move.
enum { step_straight = 65536, step_diagonal = 91750, step_knight = 143976, far_away = INT32_MAX >> 2 };

static inline int32_t lesser(int32_t a, int32_t b) { return a < b ? a : b; }

// by_rows writes the least distance of a row's pixels by way of the two rows beside it, 0
// where the mask is. Rows have two more pixels at both ends.
WIDE static void by_rows(const uint8_t *restrict mask, const int32_t *restrict near, const int32_t *restrict far, int32_t *restrict to, int wide) {
	for (int x = 0; x < wide; x++) {
		int32_t knight = lesser(lesser(near[x - 2], near[x + 2]), lesser(far[x - 1], far[x + 1])) + step_knight;
		int32_t diagonal = lesser(near[x - 1], near[x + 1]) + step_diagonal;
		int32_t least = lesser(lesser(knight, diagonal), lesser(near[x] + step_straight, to[x]));
		to[x] = mask[x] ? least : 0;
	}
}

// tapwise_distances writes how far each pixel of a mask is from the next one that is 0, in
// parts of 1/65536 of a pixel's side; far_away or more where there is none. The distances
// have two more pixels on each side of the picture. Farthest is the greatest of each row.
void tapwise_distances(const uint8_t *mask, int wide, int high, int32_t *distance, int32_t *farthest) {
	ptrdiff_t stride = wide + 4;
	for (ptrdiff_t i = 0; i < stride * (high + 4); i++) distance[i] = far_away;
	int32_t *first = distance + 2 * stride + 2;
	for (int y = 0; y < high; y++) {
		int32_t *row = first + y * stride, before = far_away;
		by_rows(mask + (size_t)y * wide, row - stride, row - 2 * stride, row, wide);
		for (int x = 0; x < wide; x++) row[x] = before = lesser(row[x], before + step_straight);
	}
	for (int y = high - 1; y >= 0; y--) {
		int32_t *row = first + y * stride, before = far_away;
		by_rows(mask + (size_t)y * wide, row + stride, row + 2 * stride, row, wide);
		int32_t most = 0;
		for (int x = wide - 1; x >= 0; x--) {
			row[x] = before = lesser(row[x], before + step_straight);
			most = most > before ? most : before;
		}
		farthest[y] = most;
	}
}
