/* Marks the places of bugs in a program: `if (BUG("forgets-the-last-line")) …`
 *
 *   a plain build                   BUG("id") is the constant 0: the reference
 *   -DSUBJECT_MUTANT="id"           it is 1 for that id alone: the reference with one bug
 *   -DSUBJECT_SELECT                the combined build: the id in the environment variable SUBJECT_MUTANT is selected
 */
#ifndef SUBJECT_H
#define SUBJECT_H

#if defined(SUBJECT_SELECT)
#include <stdlib.h>
#include <string.h>
static inline int subject_is_selected(const char *id) {
    const char *selected = getenv("SUBJECT_MUTANT");
    return selected && strcmp(selected, id) == 0;
}
#define BUG(id) subject_is_selected(id)
#elif defined(SUBJECT_MUTANT)
#define BUG(id) (__builtin_strcmp(SUBJECT_MUTANT, id) == 0)
#else
#define BUG(id) 0
#endif

#endif
