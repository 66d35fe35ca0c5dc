/** The codes and types by which servers name an overflow. Many send none, or one that says nothing. */
export const overflowCode = new RegExp(
  [
    'context_?length_?exceeded', // OpenAI, Azure, Groq, Cerebras
    'context_?window_?exceeded', // LiteLLM, Anthropic and z.ai as a reason to stop
    'exceed_context_size', // llama.cpp
    'model_max_prompt_tokens_exceeded', // Copilot
    'tokens_limit_reached', // GitHub Models
    'max_context_length_exceeded',
    'context_?too_?(?:large|long)',
    '(?:prompt|input)_?too_?long',
    'contextoverflow',
    'context_overflow',
  ].join('|'),
  'i',
)
