/** Where a hull lies in its picture. */
export interface HullBox {
  /** The stern and the tip of the bow. */
  readonly left: number
  readonly right: number
  readonly deck: number
  readonly keel: number
}

/** The outline of a hull from its deck down: a rounded stern to the left, a raked bow to the right. */
export function hullPath({ left, right, deck, keel }: HullBox): string {
  const depth = keel - deck
  const turn = Math.min(26, depth / 3)
  const rake = rakeOf({ left, right })
  return [
    `M${left} ${deck}`,
    `V${keel - turn}`,
    `Q${left} ${keel} ${left + turn} ${keel}`,
    `H${right - rake}`,
    `C${right - rake * 0.42} ${keel} ${right - rake * 0.42} ${deck + depth * 0.4} ${right} ${deck}`,
    'Z',
  ].join('')
}

/** What stands on the deck: the raised bow, and the bridge with its funnel at the stern. */
export function upperWorks({ left, right, deck }: HullBox): {
  readonly bow: string
  readonly bridge: string
  readonly windows: string
} {
  const rake = rakeOf({ left, right })
  const small = right - left < 260 ? 0.75 : 1
  const across = 62 * small
  const up = 22 * small
  const start = left + 8
  return {
    bow: `M${right} ${deck}l7 -11h${-(rake * 0.75 + 7)}l${-9} 11Z`,
    bridge: [
      `M${start} ${deck}v${-up}h${across}v${up}Z`,
      `M${start + across * 0.42} ${deck - up}v${-up * 0.8}h${across * 0.5}v${up * 0.8}Z`,
      `M${start + across * 0.1} ${deck - up}v${-up * 1.05}h${across * 0.18}v${up * 1.05}Z`,
    ].join(''),
    windows: [0.5, 0.64, 0.78].map((at) => `M${start + across * at} ${deck - up * 1.42}h${across * 0.07}`).join(''),
  }
}

/** Where cargo can stand on deck, between the bridge and the bow. */
export function deckSpace({ left, right }: Pick<HullBox, 'left' | 'right'>): { readonly left: number; readonly right: number } {
  const small = right - left < 260 ? 0.75 : 1
  return { left: left + 8 + 62 * small + 8, right: right - rakeOf({ left, right }) * 0.75 - 18 }
}

/** The surface of the water along a width, in gentle waves, and everything below it. */
export function waterPath(width: number, level: number, bottom: number): { readonly surface: string; readonly body: string } {
  const length = 28
  const waves = Array.from({ length: Math.ceil(width / length) }, () => `q${length / 4} -4 ${length / 2} 0t${length / 2} 0`).join(
    '',
  )
  const surface = `M0 ${level}${waves}`
  return { surface, body: `${surface}V${bottom}H0Z` }
}

function rakeOf({ left, right }: Pick<HullBox, 'left' | 'right'>): number {
  return Math.min(84, (right - left) * 0.18)
}
