/* Scratch of the kernels in partition_three/, which have the push constants and specialization of
   compact/: out_base is the first part, index_base the second and rejected_base the third. */
#ifndef VKPRIMS_PARTITION_THREE_ABI_H
#define VKPRIMS_PARTITION_THREE_ABI_H

/* For each portion {workgroups that have counted, elements in the first part, in the second,
   unused}, which are 0 before; then what compact/ has, with two numbers for one. */
#define VKP_PARTITION_THREE_PORTION_BYTES 16

#endif
