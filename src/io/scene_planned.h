/* Names that the scene format plans or reserves and this version cannot do.
 *
 * They are refused like any unknown name, but the message says that the name is right and
 * the version too early, instead of suggesting a name that was not meant. */
#ifndef XS_IO_SCENE_PLANNED_H
#define XS_IO_SCENE_PLANNED_H

/* Whether word is planned as a key of the object, or among the words of a type (named by
 * its phrase: "joint type"). */
int xs_scene_planned_has(const char *where, const char *word);

#endif
