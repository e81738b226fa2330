/* The features of texts, those of the command `akin features`, and what two texts share, as `akin compare`
 * finds it, in the process of another program. C and C++.
 *
 * Strings are UTF-8. A function that fails returns null and sets *error to a message, which akin_free_error
 * frees. Dictionaries are compiled into, and mapped from, the cache that the program akin uses. */
#ifndef AKIN_FEATURES_H
#define AKIN_FEATURES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Dictionaries and a scheme. Any number of threads may use one at once. */
typedef struct akin_analyser akin_analyser;

/* The different features of a text, ascending, and how often it has each. */
typedef struct akin_features {
  uint64_t words;
  uint64_t count; /* of features */
  const uint64_t* features;
  const uint32_t* counts;
} akin_features;

/* `languages`: codes or .aff files, separated by commas, as --lang; null: ru,en. `scheme`: as --scheme; null:
 * sentence-pairs. */
akin_analyser* akin_open(const char* languages, const char* scheme, char** error);
void akin_close(akin_analyser* analyser);

/* akin_free_features frees the result. */
akin_features* akin_features_of(const akin_analyser* analyser, const char* text, size_t bytes, char** error);
void akin_free_features(akin_features* features);

/* A passage that two texts share: half-open ranges of code points, and how many words of A in it B has. */
typedef struct akin_passage {
  uint32_t a_begin, a_end, b_begin, b_end;
  uint64_t words;
} akin_passage;

/* The words of two texts, how many of each lie in a passage, and the passages by a_begin, then b_begin. */
typedef struct akin_alignment {
  uint64_t a_words, b_words, a_matched, b_matched;
  uint64_t count; /* of passages */
  const akin_passage* passages;
} akin_alignment;

/* akin_free_alignment frees the result. */
akin_alignment* akin_align(const akin_analyser* analyser, const char* a, size_t a_bytes, const char* b,
                           size_t b_bytes, char** error);
void akin_free_alignment(akin_alignment* alignment);

void akin_free_error(char* error);

#ifdef __cplusplus
}
#endif

#endif
