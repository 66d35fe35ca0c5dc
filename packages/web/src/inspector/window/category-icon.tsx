import type { WindowCategory } from '@plimsoll/core'
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

/** The sign of a category. Its name stands beside it. */
export function CategoryIcon({ category, size = 14 }: { readonly category: WindowCategory; readonly size?: number }) {
  const Icon = icons[category]
  return <Icon size={size} aria-hidden />
}
