#pragma once
// The few entry points of libvips that are used, declared by hand: its own headers bring GLib and a -pthread flag
// that the package manager refuses, and cost every clean build a second.
#include <stddef.h>
