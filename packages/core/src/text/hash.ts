/** A running hash over UTF-16 code units, independent of how the text is split. */
export type Hasher = { readonly update: (text: string) => void; readonly digest: () => string }

export function createHasher(): Hasher {
  let first = 0xdeadbeef | 0
  let second = 0x41c6ce57 | 0
  return {
    update(text) {
      let a = first
      let b = second
      for (let index = 0; index < text.length; index += 1) {
        const unit = text.charCodeAt(index)
        a = Math.imul(a ^ unit, 0x9e3779b1)
        b = Math.imul(b ^ unit, 0x5f356495)
      }
      first = a
      second = b
    },
    digest() {
      const a = mix(first, second)
      const b = mix(second, first)
      return (b >>> 0).toString(16).padStart(8, '0').slice(0, 4) + (a >>> 0).toString(16).padStart(8, '0')
    },
  }
}

/** The handle to recall an original by: a short hash of its text, stable across runs and machines. */
export function handleOf(text: string): string {
  const hasher = createHasher()
  hasher.update(text)
  return hasher.digest()
}

function mix(value: number, other: number): number {
  const half = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  return Math.imul(half ^ (half >>> 13), 0xc2b2ae35) ^ Math.imul(other ^ (other >>> 15), 0x735a2d97)
}
