import { type ColourAt, pngOf } from '../test/browser/png.ts'

const [width, height] = [480, 270]
const horizon = 190
const tower = 330

/** A lighthouse at high water, in few colours, as a PNG. */
export function lighthousePicture(): Buffer {
  return pngOf(width, height, colourAt)
}

const colourAt: ColourAt = (x, y) => {
  const half = 13 + (y - 80) / 14
  const aside = Math.abs(x - tower)
  if (y >= 62 && y < 80 && aside < 11) return [255, 226, 138]
  if (y >= 52 && y < 62 && aside < (y - 50) * 1.3) return [150, 44, 40]
  if (y >= 80 && y < 200 && aside < half) return Math.floor((y - 80) / 24) % 2 === 0 ? [236, 236, 230] : [176, 58, 48]
  if (y >= 196 && aside < 46 + (y - 196) * 2 && y < 214) return [74, 78, 82]
  if (y >= horizon) return Math.sin(x / 17 + y / 3) > 0.92 ? [82, 132, 156] : [38, 88, 116]
  if (x < tower && Math.abs(y - 70 - (tower - x) * 0.06) < 4 + (tower - x) * 0.09) return [248, 220, 160]
  return [96 + Math.floor(y / 24) * 12, 132 + Math.floor(y / 24) * 10, 168 + Math.floor(y / 24) * 4]
}
