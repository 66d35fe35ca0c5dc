import type { Message } from '@plimsoll/core'
import { describe, expect, it } from 'vitest'
import type { EmbeddedInspection, WhatIf, WrittenInspection } from '../../../../node/src/shared/inspection/embedded-inspection.ts'
import { packInspection } from '../../../../node/src/shared/inspection/pack-inspection.ts'
import { stringsFor } from '../../strings/strings-for.ts'
import { embeddedSource, readEmbedded } from './embedded-source.ts'

const strings = stringsFor('en').page

describe('embeddedSource', () => {
  it('shows messages by number, fewer at the end', async () => {
    const source = embeddedSource(dataOf())
    expect((await source.messages(1, 3)).map(({ number }) => number)).toEqual([1, 2])
    expect((await source.messages(2, 99)).map(({ number }) => number)).toEqual([2])
    expect(await source.messages(-5, 0)).toEqual([])
    const { messages, ...rest } = dataOf()
    const torn = embeddedSource({ ...rest, messages: messages.filter(({ number }) => number !== 1) })
    expect((await torn.messages(1, 3)).map(({ number }) => number)).toEqual([2])
  })

  it('builds each request from the earlier ones', async () => {
    const source = embeddedSource(dataOf())
    const texts = async (id: string) => (await source.request(id)).messages.map(({ id: name }) => name)
    expect(await texts('r0')).toEqual(['layer', 'm0'])
    expect(await texts('r1')).toEqual(['layer', 'm0', 'm1', 'm2'])
    expect(await texts('r2')).toEqual(['layer', 'short', 'm2'])
    expect(await source.request('r2')).toMatchObject({ id: 'r2', model: 'x', isProven: true })
  })

  it('reports what is not in the page', async () => {
    const source = embeddedSource(dataOf())
    await expect(source.request('nothing')).rejects.toThrow(strings.requestNotHere)
    await expect(source.edit('__proto__')).rejects.toThrow(strings.editNotHere)
    await expect(source.blob('0'.repeat(64), 'image/png')).rejects.toThrow(strings.contentNotHere)
    await expect(source.blob('f'.repeat(64), 'image/png')).rejects.toThrow(strings.contentNotHere)
    expect([source.restore, source.pin]).toEqual([null, null])
  })

  it('uses the language of the page', async () => {
    const source = embeddedSource({ ...dataOf(), locale: 'zh-CN' })
    await expect(source.request('nothing')).rejects.toThrow(stringsFor('zh').page.requestNotHere)
  })

  it('answers only with rows that were replayed', async () => {
    const source = embeddedSource(dataOf())
    const rows = async (policies: readonly string[], prices: readonly string[]) =>
      (await source.whatIf({ policies, prices })).rows.map((row) => `${row.policies} ${row.price}`)
    expect(await rows([], [])).toEqual(['raw r.10', 'raw r.05', 'spec r.10', 'spec r.05'])
    expect(await rows(['spec'], ['r.05'])).toEqual(['raw r.05', 'spec r.05'])
    expect((await source.whatIf({ policies: [], prices: ['r.05'] })).prices).toEqual(['r.05'])
    await expect(rows(['economy'], [])).rejects.toThrow(strings.noReplay)
    expect(await source.whatIfChoices?.()).toEqual({ policies: ['raw', 'spec'], prices: ['r.10', 'r.05'] })
  })
})

describe('readEmbedded', () => {
  const written = (): WrittenInspection => ({ ...dataOf(), inspection: packInspection(dataOf().inspection) })

  it('reads back what was written', () => {
    const data = { ...dataOf(), inspection: { ...dataOf().inspection, requestCount: dataOf().inspection.requests.length } }
    expect(readEmbedded(JSON.stringify(written()))).toEqual({ data })
  })

  it.each([
    [null, { trouble: 'missing' }],
    [' \n', { trouble: 'missing' }],
    ['{"version":1', { trouble: 'damaged' }],
    ['[]', { trouble: 'damaged' }],
    ['{"version":2}', { trouble: 'version', version: '2' }],
    ['{}', { trouble: 'version', version: 'undefined' }],
    ['{"version":1}', { trouble: 'damaged' }],
    [JSON.stringify({ ...written(), messages: {} }), { trouble: 'damaged' }],
    [JSON.stringify({ ...written(), inspection: { ...written().inspection, messages: {} } }), { trouble: 'damaged' }],
    [JSON.stringify({ ...written(), inspection: { ...written().inspection, requests: {} } }), { trouble: 'damaged' }],
    [JSON.stringify(dataOf()), { trouble: 'damaged' }],
  ])('reports what is wrong with %s', (text, expected) => expect(readEmbedded(text)).toEqual(expected))
})

function dataOf(): EmbeddedInspection {
  const fill = { tokens: 0, categories: {}, results: [], source: 'estimate', window: 1, reserve: 0 } as const
  const row = { bill: 1, effective: 1, parts: { read: 0, write: 0, fresh: 1, output: 0, recalls: 0, keepAlive: 0 } }
  const rows = ['raw', 'spec'].flatMap((policies) =>
    ['r.10', 'r.05'].map((price): WhatIf['rows'][number] => ({
      policies,
      price,
      ...row,
      peak: 1,
      inView: 1,
      reachable: 1,
      lost: 0,
      recalls: 0,
      prompts: [1],
    })),
  )
  return {
    version: 1,
    locale: 'en',
    isRedacted: true,
    inspection: {
      session: {
        id: 's',
        title: null,
        format: 'x',
        isOwn: true,
        root: null,
        model: null,
        first: null,
        last: null,
        bytes: null,
        cost: { dollars: 0, unpriced: 0 },
        pins: [],
      },
      messages: { ids: [], roles: [], tokens: [], shown: [], categories: [], tools: [], toolNames: [], times: [] },
      requests: [],
      edits: [],
      fill,
      troubles: [],
    },
    messages: ['m0', 'm1', 'm2'].map((id, number) => ({ number, message: messageOf(id), tokens: 1, isPinned: false, edits: [] })),
    views: [
      { id: 'r0', model: 'x', isProven: true, kept: 0, added: [3, 0] },
      { id: 'r1', model: 'x', isProven: true, kept: 2, added: [1, 2] },
      { id: 'r2', model: 'x', isProven: true, kept: 1, added: [4, 2] },
    ],
    pool: [messageOf('layer'), messageOf('short')],
    edits: {},
    whatIf: { prices: ['r.10', 'r.05'], rows, requests: 1, isCalibrated: false, hasTimes: false, overhead: 20_000 },
    blobs: { ['f'.repeat(64)]: 'https://example.org/picture.png' },
  }
}

function messageOf(id: string): Message {
  return { id, role: 'user', parts: [{ type: 'text', text: id }] }
}
