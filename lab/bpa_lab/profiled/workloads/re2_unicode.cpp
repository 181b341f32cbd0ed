// The source package has no Unicode tables. These tables cover Latin-1.
#include <re2/unicode_casefold.h>
#include <re2/unicode_groups.h>

namespace re2 {

static const URange16 letters[] = {{'A', 'Z'}, {'a', 'z'}, {0xaa, 0xaa}, {0xb5, 0xb5}, {0xba, 0xba},
                                   {0xc0, 0xd6}, {0xd8, 0xf6}, {0xf8, 0xff}};
static const URange16 numbers[] = {{'0', '9'}, {0xb2, 0xb3}, {0xb9, 0xb9}, {0xbc, 0xbe}};
const UGroup unicode_groups[] = {{"L", +1, letters, 8, nullptr, 0}, {"N", +1, numbers, 4, nullptr, 0}};
const int num_unicode_groups = 2;

const CaseFold unicode_casefold[] = {{'A', 'Z', 32},    {'a', 'z', -32},   {0xc0, 0xd6, 32},
                                     {0xd8, 0xde, 32},  {0xe0, 0xf6, -32}, {0xf8, 0xfe, -32}};
const int num_unicode_casefold = 6;

const CaseFold unicode_tolower[] = {{'A', 'Z', 32}, {0xc0, 0xd6, 32}, {0xd8, 0xde, 32}};
const int num_unicode_tolower = 3;

} // namespace re2
