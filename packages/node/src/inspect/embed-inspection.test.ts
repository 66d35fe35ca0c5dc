import { createHash } from 'node:crypto'
import type { Message } from '@plimsoll/core'
import type { WindowFill } from '@plimsoll/core/bill'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EmbeddedInspection } from '../shared/inspection/embedded-inspection.ts'
import type { EditTexts, InspectedMessage, Inspection, SentRequest, SessionFinding } from '../shared/inspection/inspection.ts'
import { stringsFor } from '../strings/strings-for.ts'
import { type EmbedOptions, embedInspection, waterLevel } from './embed-inspection.ts'
import type { InspectedTexts } from './inspected-texts.ts'

describe('waterLevel', () => {
  it('keeps small texts in full and cuts large ones', () =>
    expect(waterLevel([10, 20, 1000, 2000], 230, { max: 64_000, min: 1 })).toBe(100))

  it('returns the maximum if everything fits', () => expect(waterLevel([10, 20], 30, { max: 500, min: 1 })).toBe(500))

  it('fills the budget and not more', () => {
    let cut = 0
    fc.assert(
      fc.property(fc.array(fc.nat(10_000)), fc.nat(100_000), (sizes, budget) => {
        const level = waterLevel(sizes, budget, { max: 20_000, min: 0 })
        const used = sizes.reduce((sum, size) => sum + Math.min(size, level), 0)
        if (level < 20_000) cut += 1
        expect(used).toBeLessThanOrEqual(budget)
        // One more for each would be too much.
        if (level < 20_000)
          expect(sizes.reduce((sum, size) => sum + Math.min(size, level + 1), 0)).toBeGreaterThan(budget - sizes.length)
      }),
    )
    expect(cut).toBeGreaterThan(0)
  })
})

const strings = stringsFor('en').page
const options: EmbedOptions = { locale: 'en', isRedacted: true, home: null, strings, whatIf: null }
const key = `sk-ant-api03-${'aB3dE5fG7h'.repeat(9)}-AA`
const png = Buffer.from('89504e470d0a1a0a0000', 'hex')

describe('embedInspection', () => {
  it('redacts secrets in every text', async () => {
    const data = await embedInspection(
      sourceOf({
        messages: [textMessage('m1', `${key} /home/ada`), textMessage('m2', 'fine')],
        requests: [[textMessage('m1', `shown ${key}`)]],
        edits: { e1: { before: key, after: `was ${key}`, trouble: `lost ${key}` } },
        title: `about ${key}`,
        root: '/home/ada/project',
        troubles: [`line 3: ${key}`],
        tool: key,
        findings: [
          { kind: 'reads', about: `/home/ada/${key}`, count: 1, times: 2, tokens: 1, dollars: 1 },
          { kind: 'result', tool: key, about: key, tokens: 1, dollars: 1 },
        ],
      }),
      options,
    )
    const text = JSON.stringify(data)
    expect([text.includes(key.slice(0, 30)), text.includes('/home/ada')]).toEqual([false, false])
    expect(data.inspection.findings?.length).toBe(2)
    expect(data.left).toEqual({ secrets: 13, homes: 3, texts: 0, pictures: 0, requests: 0 })
    expect(data.inspection.session.root).toBe('~/project')
  })

  it('redacts nothing with isRedacted: false', async () => {
    const messages = [textMessage('m1', `${key} /home/ada`)]
    const data = await embedInspection(sourceOf({ messages }), { ...options, isRedacted: false })
    expect(data.messages.map(({ message }) => message)).toEqual(messages)
    expect([data.isRedacted, data.left?.secrets]).toEqual([false, 0])
  })

  it('refers to stored messages by number, and holds every other message once', async () => {
    const messages = [textMessage('m1', 'one'), textMessage('m2', 'two'), textMessage('m3', 'three')]
    const [one, two, three] = messages as [Message, Message, Message]
    const system = textMessage('layer:system', 'rules')
    const short = textMessage('m2', 't')
    const requests = [
      [system, one],
      [structuredClone(system), structuredClone(one), two],
      [system, one, short, three],
    ]
    const data = await embedInspection(sourceOf({ messages, requests }), options)
    expect(data.pool).toEqual([system, short])
    expect(data.views.map(({ kept, added }) => [kept, added])).toEqual([
      [0, [3, 0]],
      [2, [1]],
      [2, [4, 2]],
    ])
  })

  it('cuts texts, and cuts more if there are more of them', async () => {
    const messages = Array.from({ length: 100 }, (_, index) => textMessage(`m${index}`, `${index}`.repeat(40_000)))
    const data = await embedInspection(sourceOf({ messages }), { ...options, limits: { texts: 100_000, text: 10_000 } })
    expect(data.left?.texts).toBe(100)
    expect(JSON.stringify(data.messages).length).toBeLessThan(130_000)
    const [short] = (await embedInspection(sourceOf({ messages: messages.slice(0, 1) }), options)).messages
    expect(textOf(short)).toBe('0'.repeat(40_000))
  })

  it('embeds images while there is room', async () => {
    const url = (bytes: Buffer) => `data:image/png;base64,${bytes.toString('base64')}`
    const small = url(Buffer.concat([png, Buffer.alloc(600)]))
    const [kept, late, gone] = [1, 2, 3].map((byte) => Buffer.concat([png, Buffer.alloc(5000, byte)])) as [Buffer, Buffer, Buffer]
    const large = Buffer.concat([png, Buffer.alloc(9000)])
    const messages = [small, url(kept), url(kept), url(large), url(gone), small, url(late), 'data:text/html;base64,AAAA'].map(
      (address): Message => ({
        id: 'm',
        role: 'user',
        parts: [{ type: 'media', mediaType: 'image/png', data: { url: address } }],
      }),
    )
    const blobs = Object.fromEntries([kept, large, late].map((bytes) => [sha256(bytes), bytes]))
    const limits = { image: 6000, images: 8000 }
    const shown = (data: EmbeddedInspection) =>
      data.messages.flatMap(({ message: { parts } }) => parts.map((part) => (part.type === 'media' ? part.data : null)))
    const blob = (bytes: Buffer) => ({ blob: { sha256: sha256(bytes), bytes: bytes.byteLength } })

    const own = await embedInspection(sourceOf({ messages, blobs, isOwn: true }), { ...options, limits })
    const expected = [{ url: small }, blob(kept), blob(kept), blob(large), blob(gone), { url: small }, blob(late), { none: true }]
    expect(shown(own)).toEqual(expected)
    expect([own.blobs, own.left?.pictures]).toEqual([{ [sha256(kept)]: url(kept) }, 4])

    const log = await embedInspection(sourceOf({ messages }), { ...options, limits })
    const none = { none: true }
    expect(shown(log)).toEqual([{ url: small }, { url: url(kept) }, none, none, none, { url: small }, none, none])
    expect([log.blobs, log.left?.pictures]).toEqual([{}, 5])
  })

  it('embeds only the latest views if they have too many messages', async () => {
    const messages = Array.from({ length: 30 }, (_, index) => textMessage(`m${index}`, 'x'))
    const requests = messages.map((_, index) => messages.slice(0, index + 1))
    const data = await embedInspection(sourceOf({ messages, requests }), { ...options, limits: { views: 90 } })
    expect([data.views.map(({ id }) => id), data.left?.requests]).toEqual([['r27', 'r28', 'r29'], 27])
    expect(data.inspection.requests).toHaveLength(30)
  })

  it('reports its progress, and stops on abort', async () => {
    const stop = new AbortController()
    const messages = Array.from({ length: 1200 }, (_, index) => textMessage(`m${index}`, 'x'))
    const steps: string[] = []
    const made: Promise<EmbeddedInspection> = embedInspection(sourceOf({ messages }), {
      ...options,
      progress(done, all) {
        steps.push(`${done}/${all}`)
        if (done === 1000) stop.abort(new Error('enough'))
      },
      signal: stop.signal,
    })
    await expect(made).rejects.toThrow('enough')
    expect(steps).toEqual(['500/1200', '1000/1200'])
  })
})

interface Made {
  readonly messages: readonly Message[]
  readonly requests?: readonly (readonly Message[])[]
  readonly edits?: Readonly<Record<string, EditTexts>>
  readonly blobs?: Readonly<Record<string, Uint8Array>>
  readonly title?: string
  readonly root?: string
  readonly troubles?: readonly string[]
  readonly tool?: string
  readonly isOwn?: boolean
  readonly findings?: readonly SessionFinding[]
}

const fill: WindowFill = { tokens: 0, categories: {}, results: [], source: 'estimate', window: 1000, reserve: 100 }

function sourceOf({
  messages,
  requests = [],
  edits = {},
  blobs = {},
  title,
  root,
  troubles = [],
  tool = 'run',
  isOwn = false,
  findings,
}: Made): InspectedTexts {
  const tokens = messages.map((message) => Math.ceil(JSON.stringify(message).length / 4))
  const sent = requests.map((view, index): SentRequest => ({ id: `r${index}`, model: 'm', messages: view, isProven: true }))
  const inspection: Inspection = {
    session: {
      id: 's',
      title: title ?? null,
      format: 'test',
      isOwn,
      root: root ?? null,
      model: 'm',
      first: null,
      last: null,
      bytes: null,
      cost: { dollars: 0, unpriced: 0 },
      pins: [],
    },
    messages: {
      ids: messages.map(({ id }) => id),
      roles: messages.map(({ role }) => role),
      tokens,
      shown: tokens,
      categories: messages.map(() => 'user'),
      tools: messages.map(() => -1),
      toolNames: [tool],
      times: messages.map(() => 0),
    },
    requests: sent.map(({ id, messages: view }) => ({
      id,
      at: null,
      model: null,
      fill: { ...fill, results: [{ tool, tokens: 1 }] },
      last: view.length - 1,
      usage: null,
      cost: null,
      edits: 0,
      saved: 0,
      waiting: 0,
      isCompacted: false,
      broken: null,
    })),
    edits: Object.keys(edits).map((id) => ({
      id,
      policy: 'p',
      kind: 'replace',
      message: 'm1',
      part: 0,
      tool: null,
      tokensBefore: 10,
      tokensAfter: 1,
      why: `because of ${tool}`,
      cache: 'free',
      number: 0,
      lastNumber: 0,
      at: null,
      request: null,
      state: 'in-force',
    })),
    fill,
    troubles,
    ...(findings === undefined ? {} : { findings }),
  }
  return {
    inspection: () => Promise.resolve(inspection),
    messages: (from, to) =>
      Promise.resolve(
        messages.slice(from, to).map(
          (message, index): InspectedMessage => ({
            number: from + index,
            message,
            tokens: tokens[from + index] ?? 0,
            isPinned: false,
            edits: [],
          }),
        ),
      ),
    request: (id) => Promise.resolve(sent.find((request) => request.id === id) as SentRequest),
    edit: (id) => Promise.resolve(edits[id] as EditTexts),
    blob: (sha256) => Promise.resolve(blobs[sha256] ?? null),
  }
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

function textMessage(id: string, text: string): Message {
  return { id, role: 'user', parts: [{ type: 'text', text }] }
}

function textOf(shown: InspectedMessage | undefined): string {
  const [part] = shown?.message.parts ?? []
  return part?.type === 'text' ? part.text : ''
}
