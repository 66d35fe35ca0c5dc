import { useCallback, useLayoutEffect, useState } from 'react'

/** How the app looks. */
export type Theme = 'system' | 'light' | 'dark'

/** A setting of this browser; null where nobody has chosen. */
export function usePreference(name: string): readonly [value: string | null, set: (value: string | null) => void] {
  const key = `plimsoll-${name}`
  const [value, setValue] = useState(() => localStorage.getItem(key))
  const set = useCallback(
    (next: string | null) => {
      if (next === null) localStorage.removeItem(key)
      else localStorage.setItem(key, next)
      setValue(next)
    },
    [key],
  )
  return [value, set]
}

/** The theme that was chosen, put into effect on the page. */
export function useTheme(): readonly [theme: Theme, set: (theme: Theme) => void] {
  const [chosen, choose] = usePreference('theme')
  const theme: Theme = chosen === 'light' || chosen === 'dark' ? chosen : 'system'
  // Before anything is painted: half of a page in another theme cannot be read.
  useLayoutEffect(() => {
    const dark = matchMedia('(prefers-color-scheme: dark)')
    const apply = () => {
      document.documentElement.dataset['theme'] = theme === 'system' ? (dark.matches ? 'dark' : 'light') : theme
    }
    apply()
    dark.addEventListener('change', apply)
    return () => dark.removeEventListener('change', apply)
  }, [theme])
  return [theme, (next) => choose(next === 'system' ? null : next)]
}
