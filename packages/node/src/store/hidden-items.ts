import type { Claim, GatewayStore } from './gateway-store.ts'

/** The messages whose results a user has hidden from what the gateway sends, and since when. */
export type HiddenItems = ReadonlyMap<string, number>

export async function readHidden(store: Pick<GatewayStore, 'claimsOf'>, tenant: string): Promise<HiddenItems> {
  const changes = await lastChanges(store, tenant)
  return new Map([...changes].flatMap(([id, { isHidden, at }]) => (isHidden ? [[id, at]] : [])))
}

/** A store keeps every change as a decision of its own: the last one about a message counts. */
async function lastChanges(store: Pick<GatewayStore, 'claimsOf'>, tenant: string) {
  const claims = await store.claimsOf(tenant, place)
  return new Map(
    claims.map(({ decision: { original: how, at }, original: { message } }) => [message.id, { isHidden: how === 'hide', at }]),
  )
}

/** Hides the result of a message, or shows it again; nothing if it already is. No text is stored: the client has it. */
export async function changeHidden(
  store: Pick<GatewayStore, 'claim' | 'claimsOf'>,
  tenant: string,
  { message, isHidden, now }: { readonly message: string; readonly isHidden: boolean; readonly now: number },
): Promise<void> {
  const last = (await lastChanges(store, tenant)).get(message)
  if ((last?.isHidden === true) === isHidden) return
  // Later than the change before it, in the same millisecond too.
  const at = Math.max(now, (last?.at ?? 0) + 1)
  const original = isHidden ? 'hide' : 'unhide'
  const claim: Claim = {
    decision: {
      key: `${place} ${message} ${at}`,
      part: 0,
      original,
      policy: 'hide-item',
      why: '',
      with: { type: 'text', text: '' },
      at,
    },
    // A name that no handle begins with.
    original: {
      handle: `${place}:${message}`,
      conversation: place,
      message: { id: message, role: 'tool', parts: [] },
      call: null,
      at,
    },
  }
  await store.claim(tenant, [claim])
}

const place = 'hidden'

/** Remembers what is hidden for a second, so that requests do not wait for it. */
export function createHiddenMemory(store: Pick<GatewayStore, 'claimsOf'>, now: () => number) {
  const known = new Map<string, { readonly at: number; readonly items: HiddenItems }>()
  return async (tenant: string): Promise<HiddenItems> => {
    const entry = known.get(tenant)
    const at = now()
    if (entry !== undefined && Math.abs(at - entry.at) < 1000) return entry.items
    const items = await readHidden(store, tenant)
    if (known.size >= 1000) known.clear()
    known.set(tenant, { at, items })
    return items
  }
}
