import type { TrimMode } from '@plimsoll/core/policies'
import type { Decision } from '../../store/gateway-record.ts'
import type { Recognised } from '../../store/gateway-store.ts'
import { addressesOf, addressOf, type DecisionsAbout, decisionsAbout } from './gateway-edits.ts'
import type { GatewayPart } from './gateway-parts.ts'

export type KnownDecisions = ReturnType<typeof createKnownDecisions>

interface KnownDecisionsOptions {
  readonly now: () => number
  /** Default: half an hour. A store notes every hour that something is still in use, and hears of it only when it is asked. */
  readonly milliseconds?: number
}

/**
 * Remembers the decisions about parts, so that a store that numbers its decisions is asked only about new parts and for new decisions.
 * What is remembered is held by the parts, and so by the bodies that the planner remembers.
 */
export function createKnownDecisions({ now, milliseconds = 1_800_000 }: KnownDecisionsOptions) {
  const tenants = new Map<string, TenantDecisions>()
  const known = new WeakMap<GatewayPart, KnownPart>()

  /** The decisions about a part up to the newest that was read; null if the store has to be asked. */
  function find(
    tenant: TenantDecisions | undefined,
    part: GatewayPart,
    mode: TrimMode,
    time: number | null,
  ): readonly Decision[] | null {
    const entry = known.get(part)
    if (entry === undefined || tenant === undefined || entry.tenant !== tenant || entry.until < tenant.from) return null
    if (time !== null && Math.abs(time - entry.askedAt) >= milliseconds) return null
    if ((entry.mode === 'safe') !== (mode === 'safe')) return null
    if (entry.until < tenant.until) {
      for (const address of tenant.later.size === 0 ? [] : addressesOf(part))
        for (const { number, decision } of tenant.later.get(address) ?? [])
          if (number > entry.until) entry.decisions = [...entry.decisions, decision]
      entry.until = tenant.until
    }
    return entry.decisions
  }

  return {
    /** The number after which the store has to be asked for decisions; null if nothing is known. */
    until: (tenant: string): number | null => tenants.get(tenant)?.until ?? null,
    unknown(tenant: string, parts: readonly GatewayPart[], mode: TrimMode): readonly GatewayPart[] {
      const current = tenants.get(tenant)
      const time = now()
      return parts.filter((part) => find(current, part, mode, time) === null)
    },
    /**
     * Notes what the store answered about parts, with the decisions after a number. False if that does not continue what was known of
     * the tenant, so that the store has to be asked about everything.
     */
    note(tenant: string, parts: readonly GatewayPart[], mode: TrimMode, after: number | null, answer: Recognised): boolean {
      const { decisions, decided } = answer
      if (decided === undefined) return after === null
      if (decided.later === null) {
        tenants.delete(tenant)
        return false
      }
      const current = tenants.get(tenant) ?? startTenant(tenants, tenant, decided.until)
      // Another request may have asked in between.
      if (after !== null && after !== current.until && decided.until !== current.until) return false
      if (after === current.until) addLater(current, decided.later)
      else if (decided.until !== current.until) Object.assign(current, { from: decided.until })
      current.until = Math.max(current.until, decided.until)
      const about = decisionsAbout(decisions)
      for (const part of parts)
        known.set(part, { tenant: current, mode, askedAt: now(), until: decided.until, decisions: about(part) })
      return true
    },
    /** The decisions about each of the parts: what the store was just asked, and else what is known. Null if one is no longer known. */
    about(
      tenant: string,
      asked: readonly GatewayPart[],
      answered: DecisionsAbout,
      parts: readonly GatewayPart[],
      mode: TrimMode,
    ): readonly (readonly Decision[])[] | null {
      const current = tenants.get(tenant)
      const fresh = new Map(asked.map((part, index) => [part, answered(part, index)]))
      const all: (readonly Decision[])[] = []
      for (const part of parts) {
        const decisions = fresh.get(part) ?? find(current, part, mode, null)
        if (decisions === null) return null
        all.push(decisions)
      }
      return all
    },
  }
}

/** Decisions that are remembered by number. */
const maxLater = 2000
const maxTenants = 1000

interface KnownPart {
  readonly tenant: TenantDecisions
  readonly mode: TrimMode
  readonly askedAt: number
  until: number
  decisions: readonly Decision[]
}

interface TenantDecisions {
  /** What was asked before this number is no longer known. */
  from: number
  until: number
  readonly later: Map<string, { readonly number: number; readonly decision: Decision }[]>
  count: number
}

function startTenant(tenants: Map<string, TenantDecisions>, tenant: string, until: number): TenantDecisions {
  if (tenants.size >= maxTenants) tenants.clear()
  const started: TenantDecisions = { from: until, until, later: new Map(), count: 0 }
  tenants.set(tenant, started)
  return started
}

function addLater(tenant: TenantDecisions, later: readonly Decision[]): void {
  if (tenant.count > maxLater) {
    tenant.later.clear()
    tenant.count = 0
    tenant.from = tenant.until
  }
  for (const decision of later) {
    // Any number after what was known: only that counts.
    const row = { number: tenant.until + 1, decision }
    const address = addressOf(decision)
    const rows = tenant.later.get(address)
    if (rows === undefined) tenant.later.set(address, [row])
    else rows.push(row)
  }
  tenant.count += later.length
}
