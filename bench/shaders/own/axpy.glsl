// What transform calls scale_add, as a function of an application's own.
float vkp_map(float a, float b, uvec2 index, float alpha) {
  precise const float product = alpha * a;
  precise const float sum = product + b;
  return sum;
}
