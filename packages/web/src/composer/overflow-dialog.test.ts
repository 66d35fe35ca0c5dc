import { describe, expect, it } from 'vitest'
import { largerModels } from './overflow-dialog.tsx'

describe('largerModels', () => {
  it('R002-20 offers models with a larger or unknown window, largest first', () => {
    const windows = { small: 8000, same: 200_000, large: 400_000, huge: 1_000_000 }
    const models = ['same', 'small', 'unknown', 'large', 'huge', 'large']
    expect(largerModels(models, windows, { name: 'same', window: 200_000 })).toStrictEqual([
      { name: 'huge', window: 1_000_000 },
      { name: 'large', window: 400_000 },
      { name: 'unknown', window: null },
    ])
  })

  it('offers no model if none is larger', () => {
    expect(largerModels(['a'], {}, { name: 'a', window: 10 })).toStrictEqual([])
    expect(largerModels(['a', 'b'], { b: 10 }, { name: 'a', window: 10 })).toStrictEqual([])
  })

  it('never offers the offline model, which could not continue', () => {
    expect(largerModels(['a', 'offline'], { offline: 200_000 }, { name: 'a', window: 10 })).toStrictEqual([])
  })

  it('assumes no window if none is given', () => {
    expect(largerModels(['constructor'], {}, { name: 'a', window: 10 })).toStrictEqual([{ name: 'constructor', window: null }])
  })
})
