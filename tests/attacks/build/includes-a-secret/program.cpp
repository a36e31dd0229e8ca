__asm__(".incbin \"" SECRET "\"");
