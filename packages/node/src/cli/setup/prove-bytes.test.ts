import { describe, expect, it } from 'vitest'
import { wireDialects } from '../../store/gateway-record.ts'
import { isSameAround, longRequest, tinyRequest } from './prove-bytes.ts'

describe.each(wireDialects)('a proof in the dialect %s', (dialect) => {
  const request = longRequest(dialect, 'call')
  const { before, behind } = request.around ?? { before: 0, behind: 0 }
  const body = Buffer.from(request.body)
  const shortened = Buffer.concat([body.subarray(0, before), Buffer.from('short'), body.subarray(body.byteLength - behind)])

  it('accepts a result that became shorter, and nothing around it', () => {
    expect(isSameAround(shortened, request)).toBe(true)
  })

  it.each([0, 1, 40, before - 1, before + 5, shortened.byteLength - 1])('finds a byte that changed at %i', (place) => {
    const changed = Buffer.from(shortened)
    changed[place] = (changed[place] ?? 0) ^ 1
    expect(isSameAround(changed, request)).toBe(false)
  })

  it('finds bytes that are missing, that were added, and a body written anew', () => {
    const anew = Buffer.from(JSON.stringify(JSON.parse(shortened.toString())))
    expect([
      isSameAround(body.subarray(0, before), request),
      isSameAround(Buffer.concat([body, Buffer.from(' ')]), request),
      isSameAround(anew, request),
      isSameAround(Buffer.alloc(0), request),
    ]).toEqual([false, false, false, false])
  })

  it('lets nothing change where there is nothing to shorten, and its body is no library’s', () => {
    const tiny = tinyRequest(dialect)
    const text = Buffer.from(tiny.body).toString()
    expect([isSameAround(Buffer.from('{}'), tiny), JSON.stringify(JSON.parse(text)) === text]).toEqual([false, false])
  })
})
