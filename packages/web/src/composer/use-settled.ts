import { useEffect, useState } from 'react'

/**
 * Whether nobody has pressed a key for a moment since this was shown. What is asked in the middle of typing must not take the next letter
 * for an answer.
 */
export function useSettled(milliseconds: number): boolean {
  const [isSettled, setSettled] = useState(false)
  useEffect(() => {
    const settle = () => {
      setSettled(true)
      document.removeEventListener('keydown', wait, true)
    }
    let timer = setTimeout(settle, milliseconds)
    function wait(): void {
      clearTimeout(timer)
      timer = setTimeout(settle, milliseconds)
    }
    document.addEventListener('keydown', wait, true)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('keydown', wait, true)
    }
  }, [milliseconds])
  return isSettled
}
