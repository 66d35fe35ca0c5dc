import { join } from 'node:path'
import { clock, type Line, write, writeJson } from './write-log.ts'

/**
 * Writes logs of pi, opencode, Gemini CLI and Copilot CLI into a home folder, always the same: with and without recorded costs, with
 * branches that were left, copies, records that are written again or taken back, reasoning, summaries, and sums of whole runs.
 */
export function writeOtherCostLogs(home: string): void {
  for (const [index, model] of ['claude-haiku-4-5', 'gpt-5', 'gpt-5.1'].entries()) writePi(home, index, model)
  for (const [index, model] of ['claude-opus-4-5', 'gpt-5.2', 'gpt-5-mini'].entries()) writeOpencode(home, index, model)
  for (const [index, model] of ['gemini-2.5-flash', 'gemini-2.5-flash-lite', 'gemini-3-flash-preview'].entries())
    writeGemini(home, index, model)
  for (const [index, model] of ['gpt-5', 'claude-haiku-4.5'].entries()) writeCopilot(home, index, model)
}

function writePi(home: string, index: number, model: string): void {
  const at = clock(Date.UTC(2026, 3, 3 + index, 8))
  const folder = join(home, '.pi', 'agent', 'sessions', `--home-dev-shop-${index}--`)
  const lines: Line[] = [{ type: 'session', version: 3, id: `pi-${index}`, timestamp: at(), cwd: `/home/dev/shop-${index}` }]
  const add = (id: string, parentId: string | null, message: Line) =>
    lines.push({ type: 'message', id, parentId, timestamp: at(), message })
  // The second session has no costs.
  const usage = (turn: number): Line => ({
    input: 300 + turn,
    output: 70 * (turn + 1),
    cacheRead: 5_000 * turn,
    cacheWrite: index === 0 ? 800 : 0,
    totalTokens: 300 + turn + 70 * (turn + 1) + 5_000 * turn + (index === 0 ? 800 : 0),
    ...(index === 1 ? {} : { cost: { input: 0.001, output: 0.002, cacheRead: 0, cacheWrite: 0, total: 0.003 * (turn + 1) } }),
  })
  const answer = (turn: number, text: string): Line => ({
    role: 'assistant',
    content: [{ type: 'text', text }],
    provider: 'p',
    model,
    usage: usage(turn),
    stopReason: 'stop',
  })
  let parent: string | null = null
  for (let turn = 0; turn < 10; turn += 1) {
    add(`u${turn}`, parent, { role: 'user', content: `Question ${turn}` })
    // The user goes back: this branch was paid for, and is left.
    if (turn % 3 === 2) add(`x${turn}`, `u${turn}`, answer(turn + 1, 'Another way'))
    add(`a${turn}`, `u${turn}`, answer(turn, `Answer ${turn}`))
    parent = `a${turn}`
  }
  write(join(folder, `2026-04-0${3 + index}_pi-${index}.jsonl`), lines)
}

function writeOpencode(home: string, index: number, model: string): void {
  const storage = join(home, '.local', 'share', 'opencode', 'storage')
  const session = `ses_${index}`
  const start = Date.UTC(2026, 3, 4 + index, 8)
  const info = { id: session, projectID: 'p', directory: `/home/dev/shop-${index}`, title: 'Shop', time: { created: start } }
  writeJson(join(storage, 'session', 'p', `${session}.json`), info)
  for (let turn = 0; turn < 12; turn += 1) {
    const created = start + turn * 60_000
    const asked = `msg_${index}_${String(turn).padStart(2, '0')}a`
    const said = `msg_${index}_${String(turn).padStart(2, '0')}b`
    const own = { sessionID: session, time: { created } }
    writeJson(join(storage, 'message', session, `${asked}.json`), { id: asked, role: 'user', ...own })
    writeJson(join(storage, 'part', asked, 'prt_1.json'), { id: 'prt_1', type: 'text', text: `Question ${turn}` })
    const [input, output, read] = [400 + turn, 90 + turn, 3_000 * turn]
    const tokens = { input, output, reasoning: 20, cache: { read, write: 0 } }
    // One session has costs.
    const cost = index === 0 ? 0.004 * (turn + 1) : 0
    const answer = { id: said, role: 'assistant', ...own, modelID: model, providerID: 'openai', cost, tokens }
    writeJson(join(storage, 'message', session, `${said}.json`), { ...answer, ...(turn === 7 ? { summary: true } : {}) })
    const parts = [{ type: 'step-start' }, { type: 'text', text: `Answer ${turn}` }, { type: 'step-finish', cost, tokens }]
    for (const [place, part] of parts.entries())
      writeJson(join(storage, 'part', said, `prt_${place}.json`), { id: `prt_${place}`, messageID: said, ...part })
  }
}

function writeGemini(home: string, index: number, model: string): void {
  const at = clock(Date.UTC(2026, 3, 5 + index, 8))
  const session = `gemini-${index}`
  const lines: Line[] = [{ sessionId: session, projectHash: 'h', startTime: at(), lastUpdated: at(), kind: 'main' }]
  for (let turn = 0; turn < 9; turn += 1) {
    const tokens = { input: 4_000 * (turn + 1), output: 60, cached: 3_500 * turn, thoughts: 25, tool: turn === 4 ? 40 : 0 }
    const total = tokens.input + tokens.output + tokens.thoughts + tokens.tool
    const record = { id: `g${index}-${turn}`, type: 'gemini', timestamp: at(), model, content: `Answer ${turn}` }
    lines.push({ id: `u${index}-${turn}`, timestamp: at(), type: 'user', content: [{ text: `Question ${turn}` }] })
    // Written again once it is counted.
    lines.push(record, { ...record, tokens: { ...tokens, total } })
    if (turn === 6) lines.push({ $rewindTo: `u${index}-${turn}` })
  }
  write(join(home, '.gemini', 'tmp', `shop-${index}`, 'chats', `session-${index}.jsonl`), lines)
}

function writeCopilot(home: string, index: number, model: string): void {
  const at = clock(Date.UTC(2026, 3, 6 + index, 8))
  const lines: Line[] = []
  const add = (type: string, data: Line) => lines.push({ type, data, id: `e${lines.length}`, timestamp: at(), parentId: null })
  const sessionId = `00000000-0000-4000-8000-10000000000${index}`
  add('session.start', {
    sessionId,
    version: 1,
    producer: 'copilot-agent',
    selectedModel: model,
    context: { cwd: '/home/dev/shop' },
  })
  for (let turn = 0; turn < 5; turn += 1) {
    add('user.message', { content: `Question ${turn}` })
    add('assistant.message', { messageId: `m${turn}`, content: `Answer ${turn}`, toolRequests: [] })
  }
  const usage = { inputTokens: 90_000, outputTokens: 1_200, cacheReadTokens: 61_000, cacheWriteTokens: 0, reasoningTokens: 300 }
  const modelMetrics = { [model]: { requests: { count: 5, cost: 5 }, usage } }
  add('session.shutdown', { shutdownType: 'routine', totalPremiumRequests: 5, modelMetrics, currentModel: model })
  write(join(home, '.copilot', 'session-state', sessionId, 'events.jsonl'), lines)
}
