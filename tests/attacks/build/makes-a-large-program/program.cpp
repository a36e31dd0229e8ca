char data[1 << 30] = {1};
int main() { return data[5]; }
