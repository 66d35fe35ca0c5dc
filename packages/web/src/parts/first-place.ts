/** Binary search: the first of `count` places for which `isBefore` is false. All places before it are true. */
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
