"""What is said and asked: conversations, passages, crowds of sentences, the sample fleet and its labels."""
