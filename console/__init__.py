"""
The console: where people see, understand and mend what their agents remember (SPEC H-05).

Its pages ask the service's own API, within this process, as the person who is logged in, and show what it
answers; their buttons send it what any client would. So the console knows none of the models and none of the
verbs: there is no way past the API here, and no rule of it that a page could forget.
"""
