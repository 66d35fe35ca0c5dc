/** The variables by which every provider is reached at one address, OpenAI's own excepted, with one key for all. */
export function providerEnvironment(origin: string, key: string): Readonly<Record<string, string>> {
  return {
    ANTHROPIC_API_KEY: key,
    OPENAI_API_KEY: key,
    GEMINI_API_KEY: key,
    DEEPSEEK_API_KEY: key,
    OPENROUTER_API_KEY: key,
    ANTHROPIC_BASE_URL: origin,
    GOOGLE_GEMINI_BASE_URL: origin,
    DEEPSEEK_BASE_URL: origin,
    OPENROUTER_BASE_URL: `${origin}/api/v1`,
    OLLAMA_HOST: origin,
  }
}
