// Reads dates in words, in the app's language and the viewer's zone. The parser is loaded at the first use.

import { useEffect, useState } from 'react'
import { loadPart } from '../app/loaded.ts'
import { locale } from '../language/language.ts'
import { toZone, zonedFormat } from '../language/zone.ts'
import type { Found } from './natural.ts'

export type ReadDate = (line: string) => Found | null

let loaded: ReadDate | null = null

/** Null until the parser is there. */
export function useReadDate(): ReadDate | null {
  const [read, setRead] = useState<ReadDate | null>(() => loaded)
  useEffect(() => {
    if (read) return
    let isGone = false
    void load().then(made => !isGone && setRead(() => made))
    return () => {
      isGone = true
    }
  }, [read])
  return read
}

async function load(): Promise<ReadDate> {
  const [{ findDate }, { parserOf }] = await Promise.all([loadPart(() => import('./natural.ts')), loadPart(() => import('./parsers.ts'))])
  const parser = parserOf(locale)
  loaded = line => findDate(parser, line, new Date(`${toZone(new Date())}Z`))
  return loaded
}

const whole = zonedFormat({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric', hour: 'numeric', minute: '2-digit' })

/** "Fri, 27 Nov 2026, 09:00". */
export const dateText = (at: string): string => whole(new Date(at))
