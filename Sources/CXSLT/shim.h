#pragma once
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED  // keeps <unicode/*.h> out: it clashes with the one in Foundation
#include <libxml/parser.h>
#include <libxml/xmlerror.h>
#include <libxslt/documents.h>
#include <libxslt/security.h>
#include <libxslt/transform.h>
#include <libxslt/xslt.h>
#include <libxslt/xsltInternals.h>
#include <libxslt/xsltutils.h>
