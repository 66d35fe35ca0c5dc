import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from './button.tsx'
import { useLanguage } from './language.tsx'

/** Puts a text on the clipboard, and says whether that went well. */
export function CopyButton({ text }: { readonly text: string }) {
  const { conversation } = useLanguage()
  const [state, setState] = useState<'copy' | 'copied' | 'notCopied'>('copy')
  useEffect(() => {
    if (state === 'copy') return
    const timer = setTimeout(() => setState('copy'), 2000)
    return () => clearTimeout(timer)
  }, [state])
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setState('copied')
    } catch {
      setState('notCopied')
    }
  }
  const Icon = state === 'copied' ? Check : Copy
  return (
    <Button look="quiet" isSmall className="copy-button" icon={Icon} iconSize={13} onClick={() => void copy()}>
      <span role="status">{conversation[state]}</span>
    </Button>
  )
}
