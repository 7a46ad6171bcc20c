"""How good an answer is: rankings against evidence, floors to be beaten, and judges without a service."""
