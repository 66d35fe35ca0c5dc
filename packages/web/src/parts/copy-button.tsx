import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useLanguage } from './language.tsx'

/** Puts a text on the clipboard, and says whether that went well. */
export function CopyButton({ text }: { readonly text: string }) {
  const strings = useLanguage().strings.chat.conversation
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
    <button type="button" className="button button-quiet small copy-button" onClick={() => void copy()}>
      <Icon size={13} aria-hidden />
      <span role="status">{strings[state]}</span>
    </button>
  )
}
