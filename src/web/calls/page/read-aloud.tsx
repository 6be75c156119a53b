// Reads the transcript of a trial aloud, with the voices of the browser: the simulator itself is silent.

import { Switch } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { callWords } from '../../language/en/calls.ts'
import type { ShownCall } from './shown.ts'

interface ReadAloudProps {
  lines: ShownCall['transcript']
  /** Of the agent, in BCP 47. */
  language: string | null
}

export function ReadAloud({ lines, language }: ReadAloudProps) {
  const [isOn, setOn] = useState(false)
  // The lines that were handed to the browser already.
  const spoken = useRef(0)
  useEffect(() => {
    if (!isOn) return
    for (const { text, role } of lines.slice(spoken.current)) {
      const line = new SpeechSynthesisUtterance(text)
      if (language) line.lang = language
      // Two people, also where the browser has one voice.
      line.pitch = role === 'AGENT' ? 1.1 : 0.8
      speechSynthesis.speak(line)
    }
    spoken.current = lines.length
  }, [isOn, lines, language])
  // Leaving the page ends it.
  useEffect(() => () => globalThis.speechSynthesis?.cancel(), [])
  if (!('speechSynthesis' in globalThis)) return null
  const turn = (next: boolean) => {
    speechSynthesis.cancel()
    spoken.current = 0
    setOn(next)
  }
  return <Switch size="xs" label={callWords.readAloud} checked={isOn} onChange={event => turn(event.currentTarget.checked)} />
}
