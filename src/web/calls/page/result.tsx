// The result of a call: its outcome and summary, and the values that the agent found out, in the agent's order and with its names.

import { Text } from '@mantine/core'
import { callPageWords } from '../../language/en/screens/calls.ts'
import { fieldLabel, valueText } from '../../language/values.ts'
import { dayText } from '../../language/zone.ts'
import { Part } from '../../pieces/part.tsx'
import { isOver, Outcome } from '../call-status.tsx'
import { Fact } from './fact.tsx'
import type { ShownCall } from './shown.ts'

const words = callPageWords.facts

export function CallResult({ call }: { call: ShownCall }) {
  const found = foundIn(call)
  return (
    <>
      {(call.outcome || call.summary) && (
        <Part title={words.result}>
          {call.outcome && (
            <Text size="sm" component="div">
              <Outcome outcome={call.outcome} />
            </Text>
          )}
          {call.summary && (
            <Text size="sm" mt={4} dir="auto" style={{ overflowWrap: 'anywhere' }}>
              {call.summary}
            </Text>
          )}
        </Part>
      )}
      <Part title={words.extracted}>
        {found.length === 0 ? (
          <Text size="sm" c="dimmed">
            {isOver(call.status) ? words.nothingExtracted : words.extractedLater}
          </Text>
        ) : (
          <dl>
            {found.map(({ name, label, text }) => (
              <Fact key={name} label={label}>
                {text}
              </Fact>
            ))}
          </dl>
        )}
      </Part>
    </>
  )
}

interface Found {
  name: string
  label: string
  text: string
}

/** The values that the agent asks for come first, in its order. A value that it no longer asks for has the words of its key. */
function foundIn({ extracted, voiceAgent }: ShownCall): Found[] {
  const asked = new Map(Object.entries(voiceAgent?.extraction ?? {}).map(([name, wanted]) => [name, wantedOf(wanted)]))
  const place = (name: string) => asked.get(name)?.order ?? Number.POSITIVE_INFINITY
  return Object.entries(extracted)
    .map(([name, value]) => {
      const { title, isDay = false } = asked.get(name) ?? {}
      return { name, label: title || fieldLabel(name), text: textOf(value, isDay) }
    })
    .toSorted((one, other) => (place(one.name) === place(other.name) ? 0 : place(one.name) - place(other.name)))
}

function wantedOf(wanted: unknown): { title: string | null; order: number; isDay: boolean } {
  const { title, order, format } = Object(wanted) as Record<string, unknown>
  return { title: typeof title === 'string' ? title : null, order: typeof order === 'number' ? order : 0, isDay: format === 'date' }
}

const textOf = (value: unknown, isDay: boolean): string =>
  isDay && typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) ? dayText(value) : valueText(value)
