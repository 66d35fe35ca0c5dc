/** The first of so many places that is not before what is looked for, found by halving. They are in order: first all that are before it. */
export function firstPlace(count: number, isBefore: (place: number) => boolean): number {
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isBefore(middle)) low = middle + 1
    else high = middle
  }
  return low
}
