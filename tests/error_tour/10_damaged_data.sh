# A damaged data file
#
# A file that is cut off, or is not what it should be, is named, with the place where it goes wrong.

$ truncate --size=200000 data/mnist/train-images-idx3-ubyte.gz
$ ./quickstart --epochs 1
