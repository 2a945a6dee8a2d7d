#include "pixels.h"

#include <stddef.h>
#include <string.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "a pixel's first byte is taken for the least"
#endif

// WIDE marks functions that are compiled twice where that is possible: as any processor
// of the kind has them, and for those that take twice as many bytes at a time.
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__has_attribute)
#if __has_attribute(target_clones)
#define WIDE __attribute__((target_clones("avx2", "default")))
#endif
#endif
#ifndef WIDE
#define WIDE
#endif

// four_bytes are a pixel, which may lie anywhere.
typedef uint32_t four_bytes __attribute__((may_alias, aligned(1)));

// pick writes the lesser or the greater of each two bytes.
static inline void pick(const uint8_t *restrict a, const uint8_t *restrict b, uint8_t *restrict to, int n, int greatest) {
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
// Rows beyond the picture do not count. Few rows are looked at again and again, so that
// they stay in the processor's cache.
WIDE static void window_down(const uint8_t *from, uint8_t *to, int wide, int high, int size, int greatest) {
	for (int y = 0; y < high; y++) {
		int first = y - size / 2, last = first + size - 1;
		if (first < 0) first = 0;
		if (last >= high) last = high - 1;
		uint8_t *row = to + (size_t)y * wide;
		memcpy(row, from + (size_t)first * wide, wide);
		for (int k = first + 1; k <= last; k++) pick_into(row, from + (size_t)k * wide, wide, greatest);
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
// one more picture and two more rows with a window at their end.
void tapwise_window(const uint8_t *from, uint8_t *to, int wide, int high, int across, int down, int greatest, uint8_t *room) {
	if (across > 1 && down > 1) {
		uint8_t *rows = room + (size_t)wide * high;
		window_across(from, room, wide, high, across, greatest, rows);
		window_down(room, to, wide, high, down, greatest);
	} else if (across > 1) {
		window_across(from, to, wide, high, across, greatest, room);
	} else {
		window_down(from, to, wide, high, down, greatest);
	}
}

// tapwise_rest subtracts bytes from others, which stay; what would be negative is 0.
WIDE void tapwise_rest(const uint8_t *restrict from, uint8_t *restrict to, int n) {
	for (int i = 0; i < n; i++) to[i] = from[i] > to[i] ? from[i] - to[i] : 0;
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
