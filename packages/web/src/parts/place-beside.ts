/** Where something is, and how large. */
export interface Box {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** Puts what was just opened beside what opened it, so that all of it can be seen. */
export function placeBeside(opened: HTMLElement, opener: HTMLElement): void {
  const { left, top } = placeFor(opener.getBoundingClientRect(), opened.getBoundingClientRect(), {
    width: document.documentElement.clientWidth,
    height: document.documentElement.clientHeight,
  })
  opened.style.left = `${left}px`
  opened.style.top = `${top}px`
}

const margin = 8

/** Below what opened it where there is room, else above; never past the edges of the screen. */
export function placeFor(
  opener: Box,
  size: Pick<Box, 'width' | 'height'>,
  screen: Pick<Box, 'width' | 'height'>,
): Pick<Box, 'left' | 'top'> {
  const below = opener.top + opener.height + 2
  const above = opener.top - size.height - 2
  const isRoomBelow = below + size.height <= screen.height - margin
  const top = isRoomBelow || above < margin ? Math.min(below, screen.height - margin - size.height) : above
  const left = Math.min(opener.left, screen.width - margin - size.width)
  return { left: Math.max(margin, left), top: Math.max(margin, top) }
}
