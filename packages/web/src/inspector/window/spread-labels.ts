/** Moves labels apart that would cover each other, each as little as is needed, none below `lowest`. In the order they were given. */
export function spreadLabels(places: readonly number[], apart: number, lowest: number): readonly number[] {
  const order = places.map((_, index) => index).sort((one, other) => (places[one] as number) - (places[other] as number))
  const spread = places.map((place) => Math.min(place, lowest))
  for (let at = 1; at < order.length; at += 1) {
    const upper = order[at - 1] as number
    const lower = order[at] as number
    const lack = apart - ((spread[lower] as number) - (spread[upper] as number))
    if (lack > 0) spread[lower] = (spread[lower] as number) + lack
  }
  let floor = lowest
  for (const index of order.toReversed()) {
    const place = Math.min(spread[index] as number, floor)
    spread[index] = place
    floor = place - apart
  }
  return spread
}
