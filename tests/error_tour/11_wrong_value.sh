# A wrong option, a wrong value
#
# One line, exit status 2, nothing written.

$ ./quickstart --learning-rate fast
$ ./quickstart --rate 0.1
