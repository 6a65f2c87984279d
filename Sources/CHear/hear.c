#include "CHear.h"

#include <libxml/xmlerror.h>
#include <libxslt/xsltutils.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static _Thread_local char said[2048];

static void hear(void *unused, const char *format, ...) {
    (void)unused;
    size_t n = strlen(said);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(said + n, sizeof said - n, format, arguments);
    va_end(arguments);
}

void chear_install(void) { xsltSetGenericErrorFunc(NULL, hear); }

void chear_start(void) {
    said[0] = 0;
    xmlSetGenericErrorFunc(NULL, hear);  // libxml2's handler is one for each thread
}

const char *chear_said(void) { return said; }
