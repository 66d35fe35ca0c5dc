import { join } from 'node:path'
import { writeOtherCostLogs } from './other-cost-logs.ts'
import { clock, type Line, write } from './write-log.ts'

/**
 * Writes logs of Claude Code, Codex and others into a home folder, always the same, with everything that makes a bill hard to add up: answers in
 * several lines, sub-agents in files of their own and as progress, branches that were left, sessions that were resumed or forked in a copy,
 * cache writes for five minutes and for an hour, several models, fast mode, repeated reports, and answers that the client wrote itself.
 */
export function writeCostLogs(home: string): void {
  for (const [index, model] of claudeModels.entries()) writeClaude(home, index, model)
  for (const [index, model] of codexModels.entries()) writeCodex(home, index, model)
  writeOtherCostLogs(home)
}

const claudeModels = [
  'claude-opus-4-1-20250805',
  'claude-sonnet-4-20250514',
  'claude-sonnet-4-5-20250929',
  'claude-haiku-4-5-20251001',
  'claude-opus-4-5-20251101',
  'claude-opus-4-7',
  'claude-opus-4-6',
]
const codexModels = ['gpt-5-codex', 'gpt-5.1-codex', 'gpt-5.2', 'gpt-5.5']

function writeClaude(home: string, index: number, model: string): void {
  const session = `00000000-0000-4000-8000-00000000000${index}`
  const folder = join(home, '.claude', 'projects', `-home-dev-shop-${index}`)
  const at = clock(Date.UTC(2026, 3, 2 + index, 9))
  const lines: Line[] = []
  const line = (uuid: string, parentUuid: string | null, fields: Line) => ({
    parentUuid,
    isSidechain: false,
    userType: 'external',
    cwd: `/home/dev/shop-${index}`,
    sessionId: session,
    version: '2.1.40',
    uuid: `${session}-${uuid}`,
    timestamp: at(),
    ...fields,
  })
  const under = (uuid: string) => `${session}-${uuid}`
  const answer = (id: string, text: string, usage: Line, name = model): Line => ({
    type: 'assistant',
    requestId: `req_${index}_${id}`,
    message: {
      id: `msg_${index}_${id}`,
      type: 'message',
      role: 'assistant',
      model: name,
      content: [{ type: 'text', text }],
      usage,
    },
  })
  const asked = (content: string): Line => ({ type: 'user', message: { role: 'user', content } })

  let parent: string | null = null
  for (let turn = 0; turn < 12; turn += 1) {
    lines.push(line(`u${turn}`, parent, asked(`Question ${turn}`)))
    const usage = claudeUsage(index, turn)
    // An answer takes several lines; the first of them reports only what was written so far.
    lines.push(line(`a${turn}`, under(`u${turn}`), answer(`${turn}`, 'Looking', { ...usage, output_tokens: 3 })))
    lines.push(line(`b${turn}`, under(`a${turn}`), answer(`${turn}`, `Answer ${turn}`, usage)))
    // A line that was written late reports less.
    if (turn % 5 === 3) lines.push(line(`c${turn}`, under(`b${turn}`), answer(`${turn}`, 'Late', { ...usage, output_tokens: 1 })))
    parent = under(`b${turn}`)
    if (turn % 4 === 1) {
      // The user goes back: this branch was paid for, and is left.
      lines.push(line(`x${turn}`, parent, asked('Try it in another way')))
      lines.push(line(`y${turn}`, under(`x${turn}`), answer(`left-${turn}`, 'Another way', claudeUsage(index, turn + 1))))
    }
    if (turn % 4 === 2) {
      // A sub-agent: its answers are progress of this session, and lines of a log of its own.
      const side = answer(`side-${turn}`, 'Counted', claudeUsage(index, turn + 2), 'claude-haiku-4-5-20251001')
      const data = { type: 'agent_progress', message: { ...side, timestamp: at() } }
      lines.push(line(`p${turn}`, parent, { type: 'progress', data }))
      const place = turn === 6 ? join('subagents', 'workflows', 'wf_1') : 'subagents'
      write(join(folder, session, place, `agent-${turn}.jsonl`), [
        line(`s${turn}`, null, { ...asked('Count the tests'), isSidechain: true, agentId: `${turn}` }),
        line(`t${turn}`, under(`s${turn}`), { ...side, isSidechain: true, agentId: `${turn}` }),
      ])
    }
  }
  lines.push(line('z', parent, answer('none', 'No response requested.', { input_tokens: 0, output_tokens: 0 }, '<synthetic>')))
  write(join(folder, `${session}.jsonl`), lines)
  // Resumed: a new log begins with the lines of the old one.
  if (index % 2 === 0) {
    const more = [line('v', parent, asked('Go on')), line('w', under('v'), answer('more', 'Done', claudeUsage(index, 13)))]
    const copied = lines.map((one) => ({ ...one, sessionId: `${session}-2` }))
    write(join(folder, `${session}-2.jsonl`), [...copied, ...more.map((one) => ({ ...one, sessionId: `${session}-2` }))])
  }
}

function claudeUsage(index: number, turn: number): Line {
  const [minutes, hour] = [turn % 3 === 0 ? 400 * (turn + 1) : 0, turn % 3 === 0 ? 0 : 900 * (turn + 1)]
  return {
    input_tokens: 5 + turn,
    cache_read_input_tokens: 9_000 * turn,
    cache_creation_input_tokens: minutes + hour,
    cache_creation: { ephemeral_5m_input_tokens: minutes, ephemeral_1h_input_tokens: hour },
    output_tokens: 40 * (turn + 1) + index,
    service_tier: 'standard',
    // Only Opus 4.7 and 4.6 have it here.
    speed: index >= 5 && turn % 5 === 1 ? 'fast' : 'standard',
  }
}

function writeCodex(home: string, index: number, model: string): void {
  const start = Date.UTC(2026, 4, 2 + index, 10)
  const at = clock(start)
  const sum = { input_tokens: 0, cached_input_tokens: 0, output_tokens: 0, reasoning_output_tokens: 0, total_tokens: 0 }
  const lines: Line[] = []
  const add = (type: string, payload: Line) => lines.push({ timestamp: at(), type, payload })
  add('session_meta', { id: `codex-${index}`, timestamp: new Date(start).toISOString(), cwd: `/home/dev/shop-${index}` })
  for (let turn = 0; turn < 15; turn += 1) addTurn(turn)

  function addTurn(turn: number): void {
    add('turn_context', { cwd: `/home/dev/shop-${index}`, model })
    add('response_item', { type: 'message', role: 'user', content: [{ type: 'input_text', text: `Question ${turn}` }] })
    add('response_item', { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: `Answer ${turn}` }] })
    const last = {
      input_tokens: 9_000 + 4_000 * turn,
      cached_input_tokens: 3_900 * turn,
      output_tokens: 150 + turn,
      reasoning_output_tokens: 60,
    }
    const usage = { ...last, total_tokens: last.input_tokens + last.output_tokens }
    for (const name of Object.keys(sum) as (keyof typeof sum)[]) sum[name] += usage[name]
    add('event_msg', { type: 'token_count', info: { total_token_usage: { ...sum }, last_token_usage: usage } })
    // The same report again, with the limits of the plan.
    if (turn % 5 === 0)
      add('event_msg', { type: 'token_count', info: { total_token_usage: { ...sum }, last_token_usage: usage }, rate_limits: {} })
  }
  const folder = join(home, '.codex', 'sessions', new Date(start).toISOString().slice(0, 10).replaceAll('-', '/'))
  write(join(folder, `rollout-${index}.jsonl`), lines)
  // Forked: a new log has the lines of the old one under new times, and goes on.
  if (index !== 1) return
  const [timestamp, length] = [at(), lines.length]
  addTurn(15)
  const payload = { id: `codex-${index}-fork`, forked_from_id: `codex-${index}`, timestamp, cwd: '/home/dev/shop' }
  const copied = lines.slice(0, length).map((one) => ({ ...one, timestamp }))
  write(join(folder, `rollout-${index}-fork.jsonl`), [
    { timestamp, type: 'session_meta', payload },
    ...copied,
    ...lines.slice(length),
  ])
}
