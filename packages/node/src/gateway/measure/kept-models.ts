import { type LearnedLifetime, learnLifetime } from '@plimsoll/core/bill'
import { isRecord } from '@plimsoll/core/text'
import { type GatewayStore, StoreError } from '../../store/gateway-store.ts'
import { addNewest } from '../planner/known-messages.ts'
import { hashText } from '../planner/understand-request.ts'
import { createProviderTokens, type ProviderTokens } from './provider-tokens.ts'

/** Keeps what was learned about models in the store, by the hash of their name: clients name them as they like. The last to write wins. */
export function createKeptModels(store: Pick<GatewayStore, 'learned' | 'keepLearned'>) {
  const models = createLearnedModels()
  /** Known from the store alone: another gateway may know more by now. */
  const untouched = new Set<string>()
  let noted = 0
  let written = 0
  let isLoaded = false
  const loading = load()

  async function stored(): Promise<LearnedState | null> {
    try {
      const found = await store.learned()
      return isRecord(found) ? found : {}
    } catch (error) {
      // Damaged entries are replaced.
      return error instanceof StoreError && error.kind === 'broken' ? {} : null
    }
  }

  async function load(): Promise<void> {
    const found = await stored()
    if (found === null || isLoaded) return
    isLoaded = true
    const here = models.state()
    for (const name of Object.keys(found)) if (!Object.hasOwn(here, name)) untouched.add(name)
    // Sums can be added at any time, so no request has to wait for them.
    models.add(found)
  }

  return {
    of(model: string | null): LearnedModel {
      const name = hashText(model ?? '')
      untouched.delete(name)
      return models.of(name)
    },
    note: () => {
      noted += 1
    },
    /** Writes down what was learned, if it is much more than the last time, or if it is the end. Never rejects. */
    async keep(when: 'due' | 'end'): Promise<void> {
      // The first requests teach the most.
      if (noted === written || (when === 'due' && noted < written * moreByThen)) return
      await loading
      if (!isLoaded) await load()
      // Writing without having read would delete what others learned.
      const others = isLoaded ? await stored() : null
      if (others === null) return
      const own = Object.fromEntries(Object.entries(models.state()).filter(([name]) => !untouched.has(name)))
      // The latest come last.
      const rest = Object.entries(others).filter(([name]) => !Object.hasOwn(own, name))
      const kept = [...rest, ...Object.entries(own)].slice(-maxKept)
      const count = noted
      await store.keepLearned(Object.fromEntries(kept)).then(
        () => {
          written = count
        },
        () => undefined,
      )
    },
  }
}

const moreByThen = 1.25
const maxKept = 100

/** Facts learned from a model's requests: how its provider counts tokens, and how long it keeps a prompt. */
export interface LearnedModel {
  readonly tokens: ProviderTokens
  lifetime: LearnedLifetime | null
}

export type LearnedModels = ReturnType<typeof createLearnedModels>

/** Learned facts by model. Holds nothing of any conversation. */
type LearnedState = Readonly<Record<string, unknown>>

/** Learns each model separately. Of many models, those that were not used for the longest time are forgotten. */
export function createLearnedModels() {
  const models = new Map<string, LearnedModel>()

  function of(name: string): LearnedModel {
    const found = models.get(name) ?? { tokens: createProviderTokens(), lifetime: null }
    addNewest(models, name, found, maxLearned)
    return found
  }

  return {
    of: (model: string | null) => of(model ?? ''),
    state: (): LearnedState =>
      Object.fromEntries([...models].map(([name, { tokens, lifetime }]) => [name, { tokens: tokens.state(), lifetime }])),
    /** Adds what was learned elsewhere, as `state` returned it. Anything else is ignored. */
    add(state: unknown): void {
      if (!isRecord(state)) return
      for (const [name, learned] of Object.entries(state).slice(-maxLearned)) {
        if (!isRecord(learned)) continue
        const model = of(name)
        model.tokens.add(learned['tokens'])
        if (model.lifetime === null && isRecord(learned['lifetime'])) model.lifetime = soundLifetime(learned['lifetime'])
      }
    },
  }
}

const maxLearned = 100

/** Learning from a request that says nothing leaves what is sound. */
function soundLifetime(lifetime: object): LearnedLifetime {
  const usage = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 }
  const known = learnLifetime(lifetime as LearnedLifetime, { gapSeconds: 0, expectedTokens: 0, usage })
  return { ...known, zeroReads: 0 }
}
