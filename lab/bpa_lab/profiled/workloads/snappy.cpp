// Compresses and decompresses files, whole and in parts. The functions in this file have no counters because they do
// not belong to the corpus.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <snappy.h>
#include <sstream>

#define UNCOUNTED __attribute__((no_profile_instrument_function))

UNCOUNTED int main(int count, char **words)
{
    for (int number = 2; number < count; number++) {
        std::ifstream file(words[number], std::ios::binary);
        std::stringstream stream;
        stream << file.rdbuf();
        const std::string text = stream.str();
        std::string packed, again;
        size_t pieces = 0;
        for (int iteration = 0; iteration < std::atoi(words[1]); iteration++) {
            snappy::Compress(text.data(), text.size(), &packed);
            if (snappy::IsValidCompressedBuffer(packed.data(), packed.size()))
                snappy::Uncompress(packed.data(), packed.size(), &again);
            for (size_t start = 0; iteration % 8 == 0 && start + 700 < text.size(); start += 700) {
                std::string small, unpacked;
                pieces += snappy::Compress(text.data() + start, 700, &small);
                snappy::Uncompress(small.data(), small.size(), &unpacked);
            }
        }
        std::printf("%s %zu %zu %zu %d\n", words[number], text.size(), packed.size(), pieces, again == text);
    }
}
