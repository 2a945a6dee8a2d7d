// What is done with every pixel of a frame, in loops that a compiler vectorizes.
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

void tapwise_halve(const uint8_t *pixels, int stride, int wide, int high, int dark, uint8_t *level);
void tapwise_window(const uint8_t *from, uint8_t *to, int wide, int high, int across, int down, int greatest, uint8_t *room);
void tapwise_rest(const uint8_t *from, uint8_t *to, int n);
void tapwise_add_levels(const uint8_t *pixels, int step, int along, int places, int dark, int64_t *sum, int n);
int tapwise_add_slanted(const struct tapwise_slant *s, const uint8_t *pixels, int stride, int dark, int64_t *sum, int n);
