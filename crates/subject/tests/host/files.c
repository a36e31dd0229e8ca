// Reads and writes files.
#include <ctype.h>
#include <stdio.h>
int main(void) {
    char text[10] = "";
    FILE *in = fopen("in", "r+"), *out = fopen("out", "w");
    if (!in || !out || !fgets(text, sizeof text, in)) return 1;
    fputs(text, out);
    rewind(in);
    for (char *at = text; *at; at++) fputc(toupper((unsigned char)*at), in);
    return fclose(in) || fclose(out);
}
