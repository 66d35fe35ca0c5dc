/** What the headers of an answer tell: who sent it, and a code that stands nowhere else. */
export function headersOf(headers: unknown): { readonly provider: string | null; readonly code: string | null } {
  const told = providerHeaders.find(([name]) => headerOf(headers, name) !== null)
  // Bedrock's code, with an address behind a colon.
  const code = headerOf(headers, 'x-amzn-errortype')?.split(':', 1)[0]?.slice(0, 100).toLowerCase() ?? null
  return { provider: told?.[1] ?? null, code }
}

const providerHeaders: readonly (readonly [header: string, provider: string])[] = [
  ['anthropic-organization-id', 'anthropic'],
  ['anthropic-ratelimit-requests-limit', 'anthropic'],
  ['apim-request-id', 'azure'],
  ['x-ms-region', 'azure'],
  ['openai-organization', 'openai'],
  ['openai-processing-ms', 'openai'],
  ['x-amzn-requestid', 'bedrock'],
  ['x-amzn-errortype', 'bedrock'],
  ['x-groq-region', 'groq'],
  ['x-ds-trace-id', 'deepseek'],
  ['x-dashscope-request-id', 'dashscope'],
  ['msh-request-id', 'moonshot'],
  ['x-goog-api-client', 'gemini'],
]

function headerOf(headers: unknown, name: string): string | null {
  if (typeof headers !== 'object' || headers === null) return null
  try {
    const { get } = headers as { readonly get?: unknown }
    const value: unknown = typeof get === 'function' ? get.call(headers, name) : fieldOf(headers, name)
    return typeof value === 'string' ? value : null
  } catch {
    return null
  }
}

/** Names of headers are written in any case. */
function fieldOf(headers: object, name: string): unknown {
  const key = Object.keys(headers)
    .slice(0, 200)
    .find((candidate) => candidate.toLowerCase() === name)
  return key === undefined ? undefined : (headers as Readonly<Record<string, unknown>>)[key]
}
