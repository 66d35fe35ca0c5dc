/** The results for all items in their order, with only so many under way at one time. */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
  { atOnce = 16 } = {},
): Promise<Result[]> {
  const results: Result[] = Array.from({ length: items.length })
  let next = 0
  async function takeTurns(): Promise<void> {
    while (next < items.length) {
      const index = next
      next += 1
      results[index] = await work(items[index] as Item)
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, takeTurns))
  return results
}
