import type { WindowCategory } from '@plimsoll/core/bill'
import {
  Bot,
  Brain,
  Cog,
  FileOutput,
  FoldVertical,
  Hammer,
  Image,
  type LucideIcon,
  ScrollText,
  UserRound,
  Wrench,
} from 'lucide-react'
import { useId } from 'react'
import './category.css'

/** The pattern of each category besides its colour: the size of a tile in pixels, and the lines in it. */
const patterns: Readonly<Record<WindowCategory, { readonly size: number; readonly lines: string } | null>> = {
  system: null,
  rules: { size: 6, lines: 'M0 3h6' },
  tools: { size: 6, lines: 'M3 0v6' },
  user: { size: 8, lines: 'M-1 9l10-10M-1 1l2-2M7 9l2-2' },
  assistant: null,
  reasoning: { size: 7, lines: 'M3 3.5h1' },
  calls: { size: 8, lines: 'M0 4h8M4 0v8' },
  results: { size: 12, lines: 'M-1 -1l14 14M-1 11l2 2M11 -1l2 2' },
  images: { size: 9, lines: 'M1 1h3.5v3.5h-3.5z' },
  summaries: { size: 10, lines: 'M0 7l5-4l5 4' },
}

/** The colour and pattern of a category, to be filled with: `url(#id)`. */
export function CategoryPattern({ category, id }: { readonly category: WindowCategory; readonly id: string }) {
  const pattern = patterns[category]
  const size = pattern?.size ?? 8
  return (
    <pattern id={id} width={size} height={size} patternUnits="userSpaceOnUse" className={`category-${category}`}>
      <rect width={size} height={size} className="category-ground" />
      {pattern === null ? null : <path d={pattern.lines} className="category-lines" />}
    </pattern>
  )
}

/** A small square in the colour and pattern of a category. */
export function CategorySwatch({ category }: { readonly category: WindowCategory }) {
  const id = useId()
  return (
    <svg className="category-swatch" width="14" height="14" aria-hidden="true">
      <defs>
        <CategoryPattern category={category} id={id} />
      </defs>
      <rect width="14" height="14" rx="3" fill={`url(#${id})`} />
    </svg>
  )
}

const icons: Readonly<Record<WindowCategory, LucideIcon>> = {
  system: Cog,
  rules: ScrollText,
  tools: Wrench,
  user: UserRound,
  assistant: Bot,
  reasoning: Brain,
  calls: Hammer,
  results: FileOutput,
  images: Image,
  summaries: FoldVertical,
}

/** The icon of a category, next to its name. */
export function CategoryIcon({ category, size = 14 }: { readonly category: WindowCategory; readonly size?: number }) {
  const Icon = icons[category]
  return <Icon size={size} aria-hidden />
}
