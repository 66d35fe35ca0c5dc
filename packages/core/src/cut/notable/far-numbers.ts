/** Whether a number is far from the others: three times the distance of the quartiles. Numbers that grow over magnitudes have no such ones. Sorts. */
export function farFrom(numbers: number[], few: number, minSpread: number): (value: number) => boolean {
  numbers.sort((one, other) => one - other)
  if (numbers.length < 6) return () => false
  const at = (share: number) => numbers[Math.floor((numbers.length - 1) * share)] as number
  const spread = 3 * Math.max(minSpread, at(0.75) - at(0.25), Math.abs(at(0.5)) * 0.02)
  const isFar = (value: number) =>
    value < at(0.25) - spread || value > at(0.75) + spread || (value < 0 && at(0.25) >= 0 && numbers.length >= minSigned)
  const [low, high] = apartFrom(numbers, few)
  const isApart = (value: number) => value < low || value > high
  const isEither = (value: number) => isFar(value) || isApart(value)
  if (numbers.filter(isEither).length <= Math.max(2, few)) return isEither
  return isApart
}

/** From where to where sorted numbers go without the few at either end that a gap wider than all of the rest sets apart. */
export function apartFrom(numbers: readonly number[], few: number): readonly [low: number, high: number] {
  let [from, to] = [0, numbers.length - 1]
  const at = (index: number) => numbers[index] as number
  if (numbers.length < minApart) return [at(from), at(to)]
  for (let count = Math.max(1, Math.min(maxApart, few)); count >= 1; count -= 1) {
    const last = numbers.length - 1 - count
    if (from === 0 && at(count) - at(count - 1) > Math.max(0, at(last) - at(count))) from = count
    if (to === numbers.length - 1 && at(last + 1) - at(last) > Math.max(0, at(last) - at(count))) to = last
  }
  return [at(from), at(to)]
}

const minApart = 20
const maxApart = 4

/** Of so many numbers, one below zero differs from all others above it. */
const minSigned = 20
