"""
Candor behind the interfaces of agent frameworks. A module is named after the framework, and needs it alone.

    agent_framework  CandorContextProvider: Microsoft Agent Framework's ContextProvider
    anthropic        CandorMemoryTool: Claude's memory tool, for Anthropic's SDK
    claude_agent     remembering: a session store of the Claude Agent SDK that captures what is said
    deepagents       CandorBackend: a backend of DeepAgents, each file a memory
    google_adk       CandorMemoryService: Google ADK's BaseMemoryService
    langgraph        CandorStore: LangGraph's BaseStore, for long-term memory, and langmem's tools
    llama_index      CandorMemoryBlock: LlamaIndex's BaseMemoryBlock
    mem0             MemoryClient: mem0's client by another import
    openai_agents    CandorSession: a session of the OpenAI Agents SDK that remembers what is said
    strands          CandorMemoryStore: Strands Agents' MemoryStore

They stand on three views: items (keys and values), files on them, and talk (what is said, and what is known).
"""
