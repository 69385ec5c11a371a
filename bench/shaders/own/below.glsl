// What select chooses by Predicate::less, as a predicate of an application's own.
bool vkp_predicate(uint x, uvec2 index, uint operand) { return x < operand; }
