"""One module a source format; ``registry`` lists them."""
