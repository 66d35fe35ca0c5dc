import { handleOf, resultText } from '@plimsoll/core'
import { credentialHash, tenantOf } from '../../../packages/node/src/store/gateway-store.ts'
import { openGatewayStore } from '../../../packages/node/src/store/open-gateway-store.ts'
import type { Journal } from '../journal.ts'

/** Texts that gateways have hidden from the provider of somebody with this key. */
export interface Hidden {
  readonly key: string
  readonly texts: readonly string[]
  /** Where the gateways remember. */
  readonly store: string
}

/** Looks up whatever was hidden, as `plimsoll recall` would. */
export async function checkOriginals(hidden: readonly Hidden[], journal: Journal): Promise<void> {
  for (const location of new Set(hidden.map(({ store }) => store))) {
    const store = await openGatewayStore(location, { now: Date.now })
    try {
      const secret = await store.secret()
      for (const { key, texts } of hidden.filter((one) => one.store === location)) {
        // Some dialects send a key with a word before it.
        const tenants = [key, `Bearer ${key}`].map((credential) => tenantOf(secret, credentialHash(credential)))
        for (const text of texts) {
          const originals = (await Promise.all(tenants.map((tenant) => store.originals(tenant, handleOf(text))))).flat()
          const isThere = originals.some(({ message }) =>
            message.parts.some((part) => part.type === 'tool-result' && resultText(part) === text),
          )
          journal.check(
            'whatever is hidden can be had back',
            isThere,
            () => `a text of ${text.length} characters, handle ${handleOf(text)}`,
          )
        }
      }
    } finally {
      await store.close()
    }
  }
}
