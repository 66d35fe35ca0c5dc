/** Facts about a model; null if unknown. */
export interface ModelFacts {
  /** The provider's name for the model; dated releases are the same unless they have their own row. */
  readonly model: string
  /** Tokens of input and answer together. */
  readonly window: number | null
  /** Tokens of the input alone, if less than the window allows. */
  readonly inputLimit: number | null
  /** Tokens of one answer, including reasoning. */
  readonly outputLimit: number | null
  readonly hasPromptCache: boolean | null
  /** Where it was found: the provider, a public model list, a quote of the provider, or a rejected request. */
  readonly source: 'provider' | 'list' | 'quoted' | 'reported' | null
}

/** The models this package knows, and the day they were looked up. */
export const knownModels: { readonly date: string; readonly models: readonly ModelFacts[] } = {
  date: '2026-11-15',
  models: [
    ...models(1_000_000, 128_000, 'provider', 'claude-fable-5.1 claude-fable-5 claude-opus-5.5 claude-opus-5'),
    ...models(1_000_000, 128_000, 'provider', 'claude-sonnet-5.5 claude-sonnet-5 claude-haiku-5.5'),
    ...models(1_000_000, 128_000, 'list', 'claude-opus-4.8 claude-opus-4.7 claude-opus-4.6'),
    // The lists disagree on the output limit.
    ...models(1_000_000, null, 'list', 'claude-sonnet-4.6'),
    ...models(200_000, 64_000, 'provider', 'claude-haiku-4.5'),
    ...models(200_000, 64_000, 'list', 'claude-opus-4.5 claude-sonnet-4.5 claude-sonnet-4 claude-sonnet-4.0 claude-3.7-sonnet'),
    ...models(200_000, 32_000, 'list', 'claude-opus-4.1 claude-opus-4 claude-opus-4.0'),
    ...models(200_000, 8192, 'list', 'claude-3.5-sonnet claude-3.5-haiku'),
    ...models(200_000, 4096, 'list', 'claude-3-opus claude-3-haiku'),

    ...models(1_050_000, 128_000, 'quoted', 'gpt-6.1-sol', { inputLimit: 922_000 }),
    ...models(1_050_000, 128_000, 'list', 'gpt-6-astra gpt-6-sol gpt-6-luna gpt-5.6-sol gpt-5.6-terra', { inputLimit: 922_000 }),
    ...models(1_050_000, 128_000, 'list', 'gpt-5.6-luna gpt-5.5 gpt-5.4', { inputLimit: 922_000 }),
    ...models(400_000, 128_000, 'list', 'gpt-5.3-codex gpt-5.2 gpt-5.2-codex gpt-5.1 gpt-5.1-codex', { inputLimit: 272_000 }),
    ...models(400_000, 128_000, 'list', 'gpt-5.1-codex-max gpt-5.1-codex-mini gpt-5 gpt-5-codex', { inputLimit: 272_000 }),
    ...models(400_000, 128_000, 'list', 'gpt-5-mini gpt-5-nano', { inputLimit: 272_000 }),
    ...models(1_047_576, 32_768, 'list', 'gpt-4.1 gpt-4.1-mini gpt-4.1-nano'),
    ...models(128_000, 16_384, 'list', 'gpt-4o gpt-4o-mini gpt-5-chat gpt-5.1-chat gpt-5.2-chat'),
    ...models(128_000, 4096, 'list', 'gpt-4o-2024-05-13', { hasPromptCache: false }),
    ...models(200_000, 100_000, 'list', 'o4-mini o3 o3-mini o1'),

    ...models(1_048_576, 65_536, 'provider', 'gemini-4-argon'),
    ...models(1_048_576, 65_536, 'list', 'gemini-3.8-flash gemini-3.1-pro-preview gemini-3-pro-preview gemini-3-flash-preview'),
    ...models(1_048_576, 65_536, 'list', 'gemini-2.5-pro gemini-2.5-flash gemini-2.5-flash-lite'),

    ...models(1_000_000, 384_000, 'provider', 'deepseek-flash deepseek-v4-pro deepseek-v4-flash'),
    // The window named in the provider's own errors. Hosts that reuse these names for newer models have more.
    ...models(131_072, 8192, 'quoted', 'deepseek-chat'),
    ...models(131_072, 65_536, 'quoted', 'deepseek-reasoner'),

    ...models(262_144, null, 'list', 'kimi-k2.6'),
    ...models(200_000, 128_000, 'list', 'glm-5.1'),
    ...models(500_000, null, 'list', 'grok-4.5'),
  ],
}

/** Nearly all have a prompt cache and no separate input limit. Names are separated by spaces. */
function models(
  window: number,
  outputLimit: number | null,
  source: ModelFacts['source'],
  names: string,
  rest: Partial<ModelFacts> = {},
): readonly ModelFacts[] {
  return names
    .split(' ')
    .map((model) => ({ model, window, inputLimit: null, outputLimit, hasPromptCache: true, source, ...rest }))
}
