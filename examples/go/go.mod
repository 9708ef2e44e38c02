module examples

go 1.24
