/* The features of texts, in the process of another program: those of the command `akin features`. C and C++.
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

void akin_free_error(char* error);

#ifdef __cplusplus
}
#endif

#endif
