import type { Claim, GatewayStore } from '../store/gateway-store.ts'

/** The messages whose results a user has hidden from what the gateway sends, and since when. */
export type HiddenItems = ReadonlyMap<string, number>

/** Reads them from a store, which keeps every change as a decision of its own: the last one about a message counts. */
export async function readHidden(store: Pick<GatewayStore, 'claimsOf'>, tenant: string): Promise<HiddenItems> {
  const hidden = new Map<string, number>()
  for (const { decision, original } of await store.claimsOf(tenant, place)) {
    if (decision.original === 'hide') hidden.set(original.message.id, decision.at)
    else hidden.delete(original.message.id)
  }
  return hidden
}

/** Hides the result of a message, or shows it again. No text is stored: the client has it. */
export async function changeHidden(
  store: Pick<GatewayStore, 'claim'>,
  tenant: string,
  { message, isHidden, at }: { readonly message: string; readonly isHidden: boolean; readonly at: number },
): Promise<void> {
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
