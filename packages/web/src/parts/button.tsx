import { ChevronLeft, ChevronRight, type LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'

interface ButtonProps extends ComponentProps<'button'> {
  readonly look?: 'primary' | 'danger' | 'quiet'
  readonly isSmall?: boolean
  readonly icon?: LucideIcon
  /** Default: 14 pixels in a small button, else 16. */
  readonly iconSize?: number
  readonly text?: string
}

/** A button: an icon, a text, and whatever comes after them. It submits a form only with `type="submit"`. */
export function Button({ look, isSmall = false, icon: Icon, iconSize, text, className, children, ...rest }: ButtonProps) {
  const looks = ['button', ...(look === undefined ? [] : [`button-${look}`]), ...(isSmall ? ['small'] : [])]
  return (
    <button type="button" className={[...looks, ...(className === undefined ? [] : [className])].join(' ')} {...rest}>
      {Icon === undefined ? null : <Icon size={iconSize ?? (isSmall ? 14 : 16)} aria-hidden />}
      {text}
      {children}
    </button>
  )
}

interface StepButtonsProps {
  readonly names: readonly [back: string, on: string]
  /** From 0 to `last`. */
  readonly place: number
  readonly last: number
  readonly onPlace: (place: number) => void
}

/** Two buttons that go one place back, or on. */
export function StepButtons({ names: [back, on], place, last, onPlace }: StepButtonsProps) {
  return (
    <>
      <Button look="quiet" icon={ChevronLeft} aria-label={back} disabled={place === 0} onClick={() => onPlace(place - 1)} />
      <Button look="quiet" icon={ChevronRight} aria-label={on} disabled={place >= last} onClick={() => onPlace(place + 1)} />
    </>
  )
}
