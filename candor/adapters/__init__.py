"""
Candor behind the interfaces of agent frameworks. A module is named after the framework, and needs it alone.

    langgraph        CandorStore: LangGraph's BaseStore, for long-term memory and langmem's tools
    openai_agents    CandorSession: a session of the OpenAI Agents SDK that remembers what is said
"""
