#pragma once
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED  // keeps <unicode/*.h> out: it clashes with the one in Foundation
#include <libxml/parser.h>
#include <libxml/tree.h>
#include <libxml/xmlerror.h>
#include <libxml/xmlreader.h>
