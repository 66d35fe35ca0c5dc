/** The sum of what is taken of each item. */
export function sum<Item>(items: readonly Item[], of: (item: Item) => number): number {
  let total = 0
  for (const item of items) total += of(item)
  return total
}

/** A part of a whole, and what it is of where there is no whole. */
export function share(part: number, whole: number, ofNothing = 0): number {
  return whole === 0 ? ofNothing : part / whole
}

/** How much more or less than the base something costs; nothing where there is no base. */
export function changeOf(cost: number, base: number): number {
  return base === 0 ? 0 : cost / base - 1
}

/** The numbers in order. */
export function sorted(numbers: readonly number[]): readonly number[] {
  return numbers.toSorted((one, other) => one - other)
}

/** The middle of numbers in order, 0 of none. */
export function median(list: readonly number[]): number {
  const middle = list.length >> 1
  if (list.length === 0) return 0
  return list.length % 2 === 1 ? (list[middle] as number) : ((list[middle - 1] as number) + (list[middle] as number)) / 2
}

/** The number that so large a share of numbers in order stays below or at, 0 of none. */
export function quantile(list: readonly number[], part: number): number {
  return list.length === 0 ? 0 : (list[Math.max(0, Math.ceil(part * list.length) - 1)] as number)
}
