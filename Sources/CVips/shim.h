#pragma once
// The few entry points of libvips that are used, declared by hand: its own headers bring GLib and a -pthread flag
// that the package manager refuses, and cost every clean build a second. Functions with a variable number of arguments
// cannot be called from Swift: each has a small one beside it.
#include <stddef.h>

typedef struct _VipsImage VipsImage;

int vips_init(const char *argv0);
void vips_block_untrusted_set(int state);
void vips_operation_block_set(const char *name, int state);
void vips_concurrency_set(int threads);
void vips_cache_set_max(int operations);
void vips_vector_set_enabled(int state);
const char *vips_error_buffer(void);
void vips_error_clear(void);

VipsImage *vips_image_new_from_buffer(const void *bytes, size_t length, const char *options, ...);
VipsImage *vips_image_new_from_memory(const void *pixels, size_t length, int width, int height, int bands, int format);
void vips_image_set_blob_copy(VipsImage *image, const char *name, const void *bytes, size_t length);
int vips_image_get_width(const VipsImage *image);
int vips_image_get_height(const VipsImage *image);
int vips_image_get_bands(const VipsImage *image);
int vips_image_get_format(const VipsImage *image);  // 0: 8 bits a band
unsigned long vips_image_get_typeof(const VipsImage *image, const char *name);
int vips_image_hasalpha(VipsImage *image);
int vips_copy(VipsImage *in, VipsImage **out, ...);
int vips_thumbnail_buffer(void *bytes, size_t length, VipsImage **out, int width, ...);
int vips_icc_transform(VipsImage *in, VipsImage **out, const char *profile, ...);
int vips_colourspace(VipsImage *in, VipsImage **out, int space, ...);
int vips_flatten(VipsImage *in, VipsImage **out, ...);
int vips_cast(VipsImage *in, VipsImage **out, int format, ...);
void *vips_image_write_to_memory(VipsImage *image, size_t *length);
typedef struct _VipsArrayDouble VipsArrayDouble;
VipsArrayDouble *vips_array_double_new(const double *values, int count);
void vips_area_unref(void *area);

void g_object_unref(void *object);
void g_free(void *memory);
typedef void (*GLogFunc)(const char *domain, int level, const char *message, void *data);
GLogFunc g_log_set_default_handler(GLogFunc handler, void *data);

static inline VipsImage *evergear_vips_open(const void *bytes, size_t length) {
    return vips_image_new_from_buffer(bytes, length, "", NULL);
}

/// Exactly width × height, in the photo's own colours, not turned.
static inline int evergear_vips_thumbnail(void *bytes, size_t length, VipsImage **out, int width, int height) {
    return vips_thumbnail_buffer(
        bytes, length, out, width, "height", height, "size", 3 /* VIPS_SIZE_FORCE */, "no_rotate", 1,
        NULL);
}

/// From the profile that the image carries to sRGB.
static inline int evergear_vips_icc_to_srgb(VipsImage *in, VipsImage **out) {
    return vips_icc_transform(in, out, "srgb", "embedded", 1, "intent", 1 /* relative */, "depth", 8, NULL);
}

static inline int evergear_vips_to_srgb(VipsImage *in, VipsImage **out) {
    return vips_colourspace(in, out, 22 /* VIPS_INTERPRETATION_sRGB */, NULL);
}

/// Calls these pixels RGB: an image made from memory is called nothing in particular.
static inline int evergear_vips_name_srgb(VipsImage *in, VipsImage **out) {
    return vips_copy(in, out, "interpretation", 22 /* VIPS_INTERPRETATION_sRGB */, NULL);
}

static inline int evergear_vips_flatten_on_white(VipsImage *in, VipsImage **out) {
    double white[1] = {255};
    VipsArrayDouble *background = vips_array_double_new(white, 1);
    int result = vips_flatten(in, out, "background", background, NULL);
    vips_area_unref(background);
    return result;
}

static inline int evergear_vips_to_8_bits(VipsImage *in, VipsImage **out) {
    return vips_cast(in, out, 0 /* VIPS_FORMAT_UCHAR */, NULL);
}

static inline void evergear_vips_ignore(const char *domain, int level, const char *message, void *data) {}

/// Warnings about a file are no news here; they would end up on the terminal.
static inline void evergear_vips_be_quiet(void) { g_log_set_default_handler(evergear_vips_ignore, NULL); }
