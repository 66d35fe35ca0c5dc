import { describe, expect, it } from 'vitest'
import { wireDialects } from '../../store/gateway-record.ts'
import { isSameAround, longRequest, tinyRequest } from './prove-bytes.ts'

describe.each(wireDialects)('a proof in the dialect %s', (dialect) => {
  const request = longRequest(dialect, 'call')
  const { before, behind } = request.around ?? { before: 0, behind: 0 }
  const body = Buffer.from(request.body)
  const shortened = Buffer.concat([body.subarray(0, before), Buffer.from('short'), body.subarray(body.byteLength - behind)])

  it('accepts a shortened result with nothing else changed', () => {
    expect(isSameAround(shortened, request)).toBe(true)
  })

  it.each([0, 1, 40, before - 1, before + 5, shortened.byteLength - 1])('rejects a changed byte at %i', (place) => {
    const changed = Buffer.from(shortened)
    changed[place] = (changed[place] ?? 0) ^ 1
    expect(isSameAround(changed, request)).toBe(false)
  })

  it('rejects missing bytes, added bytes, and a reserialised body', () => {
    const reserialised = Buffer.from(JSON.stringify(JSON.parse(shortened.toString())))
    expect([
      isSameAround(body.subarray(0, before), request),
      isSameAround(Buffer.concat([body, Buffer.from(' ')]), request),
      isSameAround(reserialised, request),
      isSameAround(Buffer.alloc(0), request),
    ]).toEqual([false, false, false, false])
  })

  it('rejects any change to a request without long results, whose body no JSON library would write', () => {
    const tiny = tinyRequest(dialect)
    const text = Buffer.from(tiny.body).toString()
    expect([isSameAround(Buffer.from('{}'), tiny), JSON.stringify(JSON.parse(text)) === text]).toEqual([false, false])
  })
})
