"""
Five small agents that remember, to read and to run.

    coding_agents     two coding agents, of which the second knows what the first learned
    support_desk      one agent and many end users, each with memories of their own
    research          documents, decisions with their reasons, and a reason that falls
    feedback          a fleet that learns which of its habits helped
    from_mem0         what mem0 kept, and an agent that goes on with mem0's calls

With Candor running (`make run`) and the key of an administrator:

    CANDOR_URL=http://127.0.0.1:8000 CANDOR_KEY=… python -m examples.agents.support_desk

With ANTHROPIC_API_KEY set, Claude answers. Without it the model is a stand-in that says what it was told and
has most words of the question: enough to see what memory gave it.
"""
