import { credentialHash, type GatewayStore, tenantOf } from './gateway-store.ts'

/**
 * Whose originals may be recalled: everyone's in a file of this user; in a shared database only those of the keys in the
 * environment.
 */
export async function tenantsOf(
  store: Pick<GatewayStore, 'tenants' | 'secret'>,
  isOthersToo: boolean,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<readonly string[]> {
  if (!isOthersToo) return store.tenants()
  const secret = await store.secret()
  const keys = [...new Set(keyVariables.map((name) => (environment[name] ?? '').trim()).filter((key) => key !== ''))]
  // Some clients send the key alone, some as a bearer token.
  return keys.flatMap((key) => [key, `Bearer ${key}`].map((credential) => tenantOf(secret, credentialHash(credential))))
}

const keyVariables = [
  'PLIMSOLL_TENANT_KEY',
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_AUTH_TOKEN',
  'OPENAI_API_KEY',
  'GEMINI_API_KEY',
  'GOOGLE_API_KEY',
  'GOOGLE_GENERATIVE_AI_API_KEY',
]
