"""
Shadow validation (SPEC S-06): real questions answered by a candidate beside what is in force, unseen.

`runs` asks for a run and shows it, `replay` works through its questions, `rehearse` answers one by one side,
`leaks` judges what was found apart from the engine that found it, `verdict` says what follows.
"""
