import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Message } from '@plimsoll/core'
import { countMessage, estimator } from '@plimsoll/core/text'
import { describe, expect, it } from 'vitest'
import { readLog } from '../../logs/read-log.ts'
import { type RecordedStep, recordSession } from '../record-session.ts'
import { type Calibration, calibrate, reportedTurns } from './calibrate.ts'

const answer: Message = { id: 'a', role: 'assistant', parts: [] }
const usage = { input: 1, cacheRead: 2, cacheWrite: 3, output: 4 }
const step = (rest: Partial<RecordedStep>): RecordedStep => ({
  segment: 0,
  length: 1,
  answer,
  at: 0,
  usage,
  model: 'm',
  output: 4,
  ...rest,
})
const session = { name: 's', format: 'pi', model: 'm', segments: [], hasTimes: true }
const countOf = () => 10

describe('reportedTurns', () => {
  it('returns the requests with a report and marks the first after a compaction as new', () => {
    const steps = [step({ at: 1 }), step({ usage: null }), step({ at: 3, segment: 1 }), step({ at: 4, segment: 1 })]
    expect(reportedTurns({ ...session, steps }, countOf)).toEqual([
      { at: 1, usage, model: 'm', isNew: false, sent: 0 },
      { at: 3, usage, model: 'm', isNew: true, sent: 0 },
      { at: 4, usage, model: 'm', isNew: false, sent: 0 },
    ])
  })

  it('counts the tokens of the messages that each request sent', () => {
    const segments = [
      [answer, answer, answer, answer],
      [answer, answer],
    ]
    const steps = [step({}), step({ length: 2, usage: null }), step({ length: 4 }), step({ segment: 1, length: 2 })]
    expect(reportedTurns({ ...session, segments, steps }, countOf).map(({ sent }) => sent)).toEqual([10, 40, 20])
  })

  it('returns no times if the log has none', () =>
    expect(reportedTurns({ ...session, hasTimes: false, steps: [step({})] }, countOf)[0]?.at).toBeNull())
})

// Recorded sessions may be next to the repository.
const recorded = fileURLToPath(new URL('../../../../../../shared/sessions', import.meta.url))

describe.skipIf(!existsSync(recorded))('calibrate, on recorded sessions,', () => {
  it.each([
    ['before-compaction.jsonl', 458 / 470],
    ['large-session.jsonl', 401 / 438],
  ])('reproduces as many cache reads in %s as is known to be possible', async (file, min) => {
    const [calibration] = (await calibrationsIn('badlogic-pi-mono')).filter(([name]) => name === file).map(([, found]) => found)
    expect(calibration?.turns).toBeGreaterThan(430)
    expect(calibration?.share).toBeGreaterThan(min)
  })

  it('reproduces nearly all cache reads if an agent only appends to its prompts', async () => {
    const calibrations = (await calibrationsIn('entireio-cli')).map(([, calibration]) => calibration)
    expect(calibrations.length).toBeGreaterThan(10)
    expect(calibrations.filter(({ isCalibrated }) => !isCalibrated)).toEqual([])
  })

  it.each(['entireio-skills', 'obra-episodic-memory'])(
    'reproduces nearly all cache reads in %s at least closely',
    async (folder) => {
      const calibrations = (await calibrationsIn(folder)).map(([, calibration]) => calibration).filter(({ turns }) => turns > 12)
      expect(calibrations.length).toBeGreaterThan(1)
      expect(calibrations.filter(({ turns, reproduced, close }) => reproduced + close < turns * 0.95)).toEqual([])
    },
  )

  it.each([
    'badlogic-pi-mono',
    'cline',
    'entireio-cli',
    'entireio-skills',
    'mini-swe-agent-gemini3pro',
    'obra-episodic-memory',
    'OpenHands',
  ])('finds that reports in %s fit the messages', async (folder) => {
    const checks = (await calibrationsIn(folder)).map(([file, { sent }]) => [file, sent] as const)
    expect(checks.some(([, sent]) => sent !== null && sent.turns > 2)).toBe(true)
    expect(checks.filter(([, sent]) => (sent?.mismatch ?? null) !== null)).toEqual([])
  })
})

async function calibrationsIn(folder: string): Promise<readonly (readonly [file: string, calibration: Calibration])[]> {
  const files = readdirSync(join(recorded, folder)).filter((file) => /\.jsonl?$/.test(file))
  const found = await Promise.all(
    files.map(async (file) => {
      const sessions = (await readLog(join(recorded, folder, file))).value?.sessions ?? []
      return sessions.map((read) => {
        const session = recordSession(read, { name: file, format: folder, tokens: estimator })
        return [file, calibrate(reportedTurns(session, (message) => countMessage(message, estimator)))] as const
      })
    }),
  )
  return found.flat()
}
