import { execFileSync } from 'node:child_process'
import { lstatSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { codecs, type Message } from '@plimsoll/core'
import type { NewEntry } from '@plimsoll/core/session'
import { describe, expect, it } from 'vitest'
import { createSession } from '../../session/create-session.ts'
import { readSession } from '../../session/open-session.ts'
import { answered, said } from '../../session/testing/sessions.ts'
import { stringsFor } from '../../strings/strings-for.ts'
import { createStateHome, repeatedReads, type StateHome } from '../testing/state-home.ts'

const { sessionCommands: strings } = stringsFor('en')

/** A session with everything that is hard to export: a fold, an abandoned branch, a large result, an image, bytes, half a surrogate pair. */
async function screenshotSession(home: StateHome): Promise<string> {
  const session = await createSession(home.sessions, { title: 'Compare the screenshots', now: () => 5000 })
  const image: NewEntry = {
    type: 'message',
    message: {
      id: 'picture',
      role: 'user',
      parts: [
        {
          type: 'media',
          mediaType: 'image/png',
          data: { type: 'image_url', image_url: { url: `data:image/png;base64,${'QUJD'.repeat(3000)}` } },
        },
        { type: 'media', mediaType: 'image/png', data: { bytes: Uint8Array.of(1, 2, 250) } },
      ],
    },
  }
  const text = 'The user wants two screenshots compared.'
  const summary: Message = { id: 'summary', role: 'system', summary: true, parts: [{ type: 'text', text }] }
  await session.append([
    said('question', 'Do the two screenshots differ?'),
    said('broken', 'half a surrogate pair \ud800'),
    image,
    answered('log', null, 'compared one more pixel\n'.repeat(80_000)),
  ])
  await session.append([said('detour', 'Draw a third one.'), { type: 'rewind', parentId: 'log', left: 'detour' }])
  await session.append([said('end', 'Where do they differ?')])
  await session.append([
    {
      type: 'edits',
      apply: [{ id: 'fold:1', policy: 'compact', kind: 'fold', first: 'question', last: 'broken', into: summary, why: 'old' }],
      pin: ['end'],
    },
    { type: 'request', model: 'model-x', last: 'end', view: '0123456789ab', estimate: 10 },
  ])
  await session.append([{ type: 'usage', request: 'e9', usage: { input: 1, cacheRead: 0, cacheWrite: 0, output: 2 } }])
  await session.close()
  return session.id
}

async function contentOf(home: StateHome, id: string) {
  const session = await readSession(home.sessions, id)
  const entries = session.heads().map((head) => {
    const entry = session.entry(head.id)
    return JSON.parse(JSON.stringify(entry).replaceAll(id, 'ID'))
  })
  const { header, ...state } = session.state()
  const wholes = state.messages.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === 'tool-result' ? [session.whole(part)] : [])),
  )
  await session.close()
  return { entries, state: { ...state, title: header.title }, wholes, troubles: session.troubles() }
}

describe('plimsoll export --format log', () => {
  it('can be imported into an equal session: all branches, folds, pins, requests, times and bytes', async () => {
    const home = createStateHome()
    const id = await screenshotSession(home)
    const exported = await home.run(['export', id, '--format', 'log'])
    expect({ code: exported.code, stderr: exported.stderr }).toEqual({ code: 0, stderr: '' })
    const { sessions } = JSON.parse((await home.run(['import', home.write('log.jsonl', exported.stdout), '--json'])).stdout)
    expect(sessions).toMatchObject([{ title: 'Compare the screenshots', messages: 6 }])
    const [before, after] = [await contentOf(home, id), await contentOf(home, sessions[0].id)]
    expect(after).toEqual(before)
    expect(before.entries).toHaveLength(11)
    // Exporting the copy gives the same bytes, apart from the session's name.
    const again = await home.run(['export', sessions[0].id, '--format', 'log'])
    const nameless = (text: string, name: string) => text.replaceAll(name, 'ID')
    expect(nameless(again.stdout, sessions[0].id)).toBe(nameless(exported.stdout, id))
  })

  it('contains only one branch with --leaf', async () => {
    const home = createStateHome()
    const id = await screenshotSession(home)
    const { stdout } = await home.run(['export', id, '--format', 'log', '--leaf', 'detour'])
    const ids = stdout.trimEnd().split('\n').map((line) => JSON.parse(line).id) // biome-ignore format: one idea
    expect(ids).toEqual([id, 'question', 'broken', 'picture', 'log', 'detour'])
    expect((await home.run(['export', id, '--leaf', 'nothing'])).stderr).toContain('--leaf: the session has no entry nothing.')
  })
})

describe('plimsoll export', () => {
  it('writes originals instead of summaries, and view can read the file', async () => {
    const home = createStateHome()
    const id = await screenshotSession(home)
    const { code, stdout, stderr } = await home.run(['export', id])
    const request = JSON.parse(stdout)
    expect({ code, model: request.model, count: request.messages.length }).toEqual({ code: 0, model: 'model-x', count: 5 })
    expect(request.messages[0]).toEqual({ role: 'user', content: 'Do the two screenshots differ?' })
    expect(stdout).toContain('compared one more pixel\\ncompared one more pixel')
    expect(stderr).toBe(`${strings.leftOutOfFormat(strings.media('1'), 'openai-chat')}\n`)
    expect((await home.run(['view', home.write('out.json', stdout)])).code).toBe(0)
  })

  it.each(['openai-chat', 'anthropic', 'ai-sdk', 'openai-responses', 'gemini'] as const)(
    'writes every result of the session as %s',
    async (format) => {
      const home = createStateHome()
      const id = await home.importMessages(repeatedReads(7))
      const { stdout } = await home.run(['export', id, '--format', format])
      const results = codecs[format].read(JSON.parse(stdout)).messages.filter(({ role }) => role === 'tool')
      expect(results.map(({ parts }) => parts)).toMatchObject(
        Array.from({ length: 7 }, (_, index) => [
          { callId: `call-${index}`, content: { type: 'text', text: `1→export const price = ${index}\n2→` } },
        ]),
      )
    },
  )

  it('writes text for models without tool calls, and a page to read', async () => {
    const home = createStateHome()
    const id = await home.importMessages([
      { role: 'user', content: 'go ``` on' },
      ...repeatedReads(1).slice(1),
      { role: 'tool', tool_call_id: 'x', content: '````\n# no heading' },
    ])
    expect((await home.run(['export', id, '--format', 'react'])).stdout).toContain('Action: read_file[{"path":"src/price.ts"}]')
    expect((await home.run(['export', id, '--format', 'markdown'])).stdout).toBe(
      [
        '# go ``` on',
        '## 1. user',
        'go ``` on',
        '## 2. assistant · 2026-01-31 09:00 UTC',
        'look 1',
        '**call** `read_file`',
        '```json\n{"path":"src/price.ts"}\n```',
        '## 3. tool · 2026-01-31 09:00 UTC',
        '**result**',
        '```\n1→export const price = 0\n2→\n```',
        '## 4. tool',
        '**result**',
        '`````\n````\n# no heading\n`````',
        '',
      ]
        .join('\n\n')
        .replace(/\n\n$/, '\n'),
    )
  })

  it('blanks and counts secrets with --redact; the session keeps them', async () => {
    const home = createStateHome()
    const secret = `ghp_${'a1B2'.repeat(9)}`
    const id = await home.importMessages([{ role: 'user', content: `first ${secret} then ${secret}` }])
    const { stdout, stderr } = await home.run(['export', id, '--redact', '--format', 'log'])
    expect(stdout).not.toContain(secret)
    expect(stdout).toContain('[REDACTED:')
    expect(stderr).toMatch(/^Secrets redacted: \d+\n$/)
    expect((await home.run(['export', id])).stdout).toContain(secret)
  })

  it('writes a file that only its owner can read, and replaces one only with --force', async () => {
    const home = createStateHome()
    const id = await home.importMessages(repeatedReads(1))
    const out = join(home.path, 'out.json')
    const first = await home.run(['export', id, '--out', 'out.json'], { folder: home.path })
    expect(first).toEqual({ code: 0, stdout: expect.stringMatching(/^Wrote out\.json \(\d+ B, 3 messages\)\.\n$/), stderr: '' })
    expect(statSync(out).mode & 0o777).toBe(0o600)
    const before = readFileSync(out, 'utf8')
    const second = await home.run(['export', id, '--out', out, '--format', 'markdown'])
    expect(second).toEqual({
      code: 1,
      stdout: '',
      stderr: `error: ${strings.fileExists(out)}\n`,
    })
    expect(readFileSync(out, 'utf8')).toBe(before)
    expect((await home.run(['export', id, '--out', out, '--format', 'markdown', '--force'])).code).toBe(0)
    expect(readFileSync(out, 'utf8')).toMatch(/^# What does the price depend on\?/)
    symlinkSync(join(home.path, 'nowhere'), join(home.path, 'link'))
    expect((await home.run(['export', id, '--out', join(home.path, 'link')])).code).toBe(1)
    expect(readdirSync(home.path).toSorted()).toEqual(['files', 'link', 'out.json', 'state'])
  })

  it.each([[[]], [['--force']]])('never replaces a folder, a device or a pipe: %j', async (force) => {
    const home = createStateHome()
    const id = await home.importMessages(repeatedReads(1))
    const pipe = join(home.path, 'pipe')
    execFileSync('mkfifo', [pipe])
    symlinkSync(pipe, join(home.path, 'link'))
    for (const name of ['pipe', 'link', 'files']) {
      const out = join(home.path, name)
      const before = lstatSync(out).mode
      const stderr = `error: ${strings.notAFile(out)}\n`
      expect(await home.run(['export', id, '--out', out, ...force])).toEqual({ code: 1, stdout: '', stderr })
      expect(lstatSync(out).mode).toBe(before)
    }
    expect(readdirSync(home.path).toSorted()).toEqual(['files', 'link', 'pipe', 'state'])
  })

  it('prints to standard output with --out -', async () => {
    const home = createStateHome()
    const id = await home.importMessages(repeatedReads(1))
    expect(await home.run(['export', id, '--out', '-'], { folder: home.path })).toEqual(await home.run(['export', id]))
    expect(readdirSync(home.path).toSorted()).toEqual(['files', 'state'])
  })

  it('reports why a file cannot be written and leaves no partial file', async () => {
    const home = createStateHome()
    const id = await home.importMessages(repeatedReads(1))
    const out = join(home.path, 'nowhere', 'out.json')
    expect(await home.run(['export', id, '--out', out])).toEqual({
      code: 1,
      stdout: '',
      stderr: `error: ${out} could not be written: its folder does not exist.\n`,
    })
  })

  it('suggests a format for a misspelled one', async () =>
    expect(await createStateHome().run(['export', 'last', '--format', 'markdwon'])).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'error: --format: expected one of openai-chat, openai-responses, anthropic, gemini, ai-sdk, react, markdown, log, got "markdwon". Did you mean markdown?\n',
    }))

  it.each(['openai-chat', 'log', 'markdown', 'react'])('escapes control characters on a terminal: %s', async (format) => {
    const home = createStateHome()
    const id = await home.importMessages([{ role: 'user', content: 'a\u009b31m\u001b[2J\u202eb' }])
    const { stdout } = await home.run(['export', id, '--format', format], { terminal: 80, environment: { NO_COLOR: '1' } })
    expect(stdout).not.toMatch(/[\u001b\u009b\u202e]/)
    expect(stdout).toContain('\\u202e')
  })
})
