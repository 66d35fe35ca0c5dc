import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runScript } from '../session/testing/sessions.ts'
import { decision, question } from './testing/samples.ts'
import { type StorePlace, storeKinds } from './testing/store-places.ts'

const scripts = {
  loop: new URL('./testing/claim-loop.ts', import.meta.url),
  race: new URL('./testing/claim-race.ts', import.meta.url),
}

describe.each(storeKinds.filter(({ name }) => !name.includes('reopened')))('processes that share a store: $name', ({ make }) => {
  let place: StorePlace
  beforeAll(async () => {
    place = await make()
  }, 120_000)
  afterAll(() => place.remove())

  it('all show the bytes of the first writer', async () => {
    const others = ['a', 'b', 'c'].map((name) => runScript(scripts.race, [place.location, name]))
    for (const other of others) expect(await other.line()).toBe('open')
    for (const other of others) other.send('go')
    const lines = await Promise.all(others.map((other) => other.line()))
    expect(lines.map((line) => line === null)).toEqual([false, false, false])
    expect(new Set(lines).size).toBe(1)
  })

  it('find everything that a killed process had acknowledged', async () => {
    const others = ['x', 'y'].map((name) => runScript(scripts.loop, [place.location, name]))
    const acknowledged: string[] = []
    for (let count = 0; count < 20; count++) {
      for (const other of others) acknowledged.push((await other.line()) ?? 'nothing')
    }
    for (const other of others) other.kill()
    for (const other of others) await other.ended
    const store = await place.open()
    const { decisions } = await store.recognise('tenant', question({ parts: acknowledged.map((key) => decision(key, '')) }))
    expect(decisions.map(({ key }) => key)).toEqual(acknowledged)
    for (const key of acknowledged.slice(-2)) {
      expect((await store.originals('tenant', key)).map(({ handle }) => handle)).toContain(key)
    }
  })
})
