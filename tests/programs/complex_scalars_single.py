# Operators of NumPy's complex64 scalars and elements, with each other and with other numbers: values to the bit, classes and warnings.
# kiln-test: needs=numpy timeout=300
from _complex_scalars import scalars_of

scalars_of("complex64")
