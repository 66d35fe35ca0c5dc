import { handleOf, resultText } from '@plimsoll/core'
import { credentialHash, tenantOf } from '../../../packages/node/src/store/gateway-store.ts'
import { openGatewayStore } from '../../../packages/node/src/store/open-gateway-store.ts'
import type { Journal } from '../journal.ts'

/** Texts that gateways have trimmed from requests with this key. */
export interface Hidden {
  readonly key: string
  readonly texts: readonly string[]
  /** The store of the gateways. */
  readonly store: string
}

/** Looks up every trimmed text, like `plimsoll recall`. */
export async function checkOriginals(hidden: readonly Hidden[], journal: Journal): Promise<void> {
  for (const location of new Set(hidden.map(({ store }) => store))) {
    const store = await openGatewayStore(location, { now: Date.now })
    try {
      const secret = await store.secret()
      for (const { key, texts } of hidden.filter((one) => one.store === location)) {
        // Some dialects send the key after `Bearer`.
        const tenants = [key, `Bearer ${key}`].map((credential) => tenantOf(secret, credentialHash(credential)))
        for (const text of texts) {
          const originals = (await Promise.all(tenants.map((tenant) => store.originals(tenant, handleOf(text))))).flat()
          const isThere = originals.some(({ message }) =>
            message.parts.some((part) => part.type === 'tool-result' && resultText(part) === text),
          )
          journal.check(
            'everything hidden can be recalled',
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
