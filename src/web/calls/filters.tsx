// The toolbar of the list: status, outcome, agent, days, and the number of matching calls.

import { Button, Popover, Select, Switch } from '@mantine/core'
import { IconCalendar, IconX } from '@tabler/icons-react'
import { useQuery } from 'urql'
import { rangeText } from '../address/day-range.ts'
import { Toolbar, Total } from '../frame/header.tsx'
import { CallAgentsDocument } from '../generated/documents/calls.ts'
import type { CallOutcome, CallStatus } from '../generated/schema.ts'
import { callWords } from '../language/en/calls.ts'
import { callPageWords } from '../language/en/screens/calls.ts'
import { nounWords } from '../language/en/values.ts'
import { byLabel } from '../language/order.ts'
import { DayRangeInputs } from '../pieces/range-inputs.tsx'
import { AnyOf } from '../pieces/several.tsx'
import classes from '../table/filter.module.css'

interface Chosen {
  status?: CallStatus[] | undefined
  outcome?: CallOutcome[] | undefined
  agent?: string | undefined
  contact?: string | undefined
  /** The days on which the call was placed, as a range. */
  placed?: string | undefined
  /** Only trials of agents, which are hidden otherwise. */
  trials?: boolean | undefined
}

interface FiltersProps {
  chosen: Chosen
  total: number | null | undefined
  onChange(change: Chosen): void
}

export function Filters({ chosen: { status, outcome, agent, contact, placed, trials }, total, onChange }: FiltersProps) {
  const [{ data }] = useQuery({ query: CallAgentsDocument })
  const agents = (data?.voiceAgents.nodes ?? []).map(({ id, name }) => ({ value: id, label: name })).toSorted(byLabel)
  return (
    <Toolbar>
      <AnyOf
        label={callPageWords.columns.status}
        placeholder={callPageWords.filters.status}
        words={callWords.status}
        chosen={status}
        onChoose={chosen => onChange({ status: chosen })}
      />
      <AnyOf
        label={callPageWords.columns.outcome}
        placeholder={callPageWords.filters.outcome}
        words={callWords.outcome}
        chosen={outcome}
        onChoose={chosen => onChange({ outcome: chosen })}
      />
      <Select
        size="xs"
        aria-label={callPageWords.columns.agent}
        placeholder={callPageWords.filters.agent}
        data={agents}
        value={agent ?? null}
        onChange={value => onChange({ agent: value ?? undefined })}
        clearable
        className={classes.filter}
      />
      <Popover position="bottom-start" shadow="md" trapFocus returnFocus width={240}>
        <Popover.Target>
          <Button variant="default" size="xs" fw={400} rightSection={<IconCalendar size={14} />}>
            {rangeText(placed) || callPageWords.filters.day}
          </Button>
        </Popover.Target>
        <Popover.Dropdown aria-label={callPageWords.columns.placed}>
          <DayRangeInputs label={callPageWords.columns.placed} value={placed} onChange={value => onChange({ placed: value })} />
        </Popover.Dropdown>
      </Popover>
      {contact && (
        <Button variant="light" size="xs" fw={400} rightSection={<IconX size={14} />} onClick={() => onChange({ contact: undefined })}>
          {callPageWords.filters.contact}
        </Button>
      )}
      <Switch
        size="xs"
        label={callWords.trials}
        checked={trials ?? false}
        onChange={event => onChange({ trials: event.currentTarget.checked || undefined })}
      />
      <Total count={total} nouns={nounWords.call} />
    </Toolbar>
  )
}
