import { useLayoutEffect } from 'react'

/** How the page looks. */
export type Theme = 'system' | 'light' | 'dark'

/** Shows the page in a theme, and follows the system if that is the theme. */
export function useShownTheme(theme: Theme): void {
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
}
