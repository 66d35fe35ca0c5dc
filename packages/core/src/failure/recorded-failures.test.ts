import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { classifyFailure } from './classify-failure.ts'

// Bodies that were seen in the wild may be in a folder next to the repository.
const file = fileURLToPath(new URL('../../../../../shared/overflow/cases.json', import.meta.url))

interface Recorded {
  readonly id: string
  readonly status: number
  readonly body: unknown
  readonly expect: string
  readonly limit?: number
  /** The input where the body tells it, else the whole request. */
  readonly actual?: number
  readonly output?: number
}

describe.skipIf(!existsSync(file))('Q-19b recorded failures', () => {
  const recorded = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as readonly Recorded[]) : []

  it.each(recorded)('$id', ({ status, body, limit, actual, output, expect: kind }) => {
    for (const form of [body, JSON.stringify(body), `data: ${JSON.stringify(body)}\n\n`]) {
      const failure = classifyFailure({ status, body: form })
      expect(allowed(kind)).toContain(failure.kind)
      expect(failure.limit).toBe(limit ?? null)
      expect(failure.input ?? failure.requested).toBe(actual ?? null)
      if (output !== undefined) expect(failure.output).toBe(output)
    }
  })
})

function allowed(kind: string): readonly string[] {
  if (kind === 'none') return ['rate_limit', 'other']
  return kind === 'payload_or_overflow' ? ['payload_bytes'] : [kind]
}
