// What is done with every pixel of a frame, in loops that a compiler vectorizes.
#include <stddef.h>
#include <stdint.h>

// tapwise_slant is a line of any direction, and where it is looked at: at a number of
// places, the first half of them from a share of the line on, over a length, the others
// after a gap. It lies on a frame of the size of wide and high.
struct tapwise_slant {
	double x, y;               // where it begins
	double along_x, along_y;   // to its end
	double across_x, across_y; // the step from one pixel across it to the next
	double from, length, gap;  // shares of the line
	int places, wide, high;
};

// tapwise_piece is a part of a row, from one pixel to another, both included.
struct tapwise_piece {
	int32_t y, from, to;
};

void tapwise_halve(const uint8_t *pixels, int stride, int wide, int high, int dark, uint8_t *level);
void tapwise_halve_thin(const uint8_t *pixels, int stride, int wide, int high, int dark, uint8_t *level, uint8_t *room);
void tapwise_window(const uint8_t *from, uint8_t *to, int wide, int high, int across, int down, int greatest, uint8_t *room);
void tapwise_rest(const uint8_t *from, uint8_t *to, int n);
void tapwise_add_levels(const uint8_t *pixels, int step, int along, int places, int dark, int64_t *sum, int n);
int tapwise_add_slanted(const struct tapwise_slant *s, const uint8_t *pixels, int stride, int dark, int64_t *sum, int n);
void tapwise_distances(const uint8_t *mask, int wide, int high, int32_t *distance, int32_t *farthest);
void tapwise_levels_along(const uint8_t *pixels, int stride, int dark, double x, double y, double step_x, double step_y, int beside, int32_t *level, int n);
int tapwise_gather(const uint8_t *pixels, int stride, int wide, int high, const struct tapwise_piece *pieces, int count, int step, int x, int y, uint32_t *found);

// tapwise_apart is how many sums of the differences of three channels there are.
enum { tapwise_apart = 3 * 255 + 1 };

size_t tapwise_smooth_room(int wide);
void tapwise_smooth(const uint8_t *pixels, int stride, int wide, int high, const float *weights, uint8_t *to, void *room);
