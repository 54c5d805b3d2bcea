# An output that cannot be written
#
# Found out before the training, not after.

$ touch results
$ ./quickstart --output results
