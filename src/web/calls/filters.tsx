// The toolbar of the list: status, outcome, agent, days, and how many match.

import { Button, Popover, Select, Text } from '@mantine/core'
import { IconCalendar, IconX } from '@tabler/icons-react'
import { useQuery } from 'urql'
import { rangeText } from '../address/day-range.ts'
import { Toolbar } from '../frame/header.tsx'
import { CallAgentsDocument } from '../generated/documents/calls.ts'
import { type CallOutcome, type CallStatus, callOutcomeValues, callStatusValues } from '../generated/schema.ts'
import { DayRangeInputs } from '../pieces/days/range-inputs.tsx'
import { Several } from '../pieces/several.tsx'
import { words } from '../pieces/status.tsx'
import classes from './filters.module.css'

interface Chosen {
  status?: CallStatus[] | undefined
  outcome?: CallOutcome[] | undefined
  agent?: string | undefined
  contact?: string | undefined
  /** When it was asked for: a range of days. */
  placed?: string | undefined
}

interface FiltersProps {
  chosen: Chosen
  total: number | null | undefined
  onChange(change: Chosen): void
}

const optionsOf = <Value extends string>(values: readonly Value[]) => values.map(value => ({ value, label: words(value) }))
const orNothing = <Value,>(values: Value[]) => (values.length > 0 ? values : undefined)

export function Filters({ chosen: { status, outcome, agent, contact, placed }, total, onChange }: FiltersProps) {
  const [{ data }] = useQuery({ query: CallAgentsDocument })
  const agents = data?.voiceAgents.nodes.map(({ id, name }) => ({ value: id, label: name })) ?? []
  return (
    <Toolbar>
      <Several
        size="xs"
        aria-label="Status"
        placeholder={status ? undefined : 'Any status'}
        data={optionsOf(callStatusValues)}
        value={status ?? []}
        onChange={values => onChange({ status: orNothing(values) })}
        clearable
        className={classes.filter}
      />
      <Several
        size="xs"
        aria-label="Outcome"
        placeholder={outcome ? undefined : 'Any outcome'}
        data={optionsOf(callOutcomeValues)}
        value={outcome ?? []}
        onChange={values => onChange({ outcome: orNothing(values) })}
        clearable
        className={classes.filter}
      />
      <Select
        size="xs"
        aria-label="Agent"
        placeholder="Any agent"
        data={agents}
        value={agent ?? null}
        onChange={value => onChange({ agent: value ?? undefined })}
        clearable
        className={classes.filter}
      />
      <Popover position="bottom-start" shadow="md" trapFocus returnFocus width={240}>
        <Popover.Target>
          <Button variant="default" size="xs" fw={400} rightSection={<IconCalendar size={14} />}>
            {rangeText(placed) || 'Any day'}
          </Button>
        </Popover.Target>
        <Popover.Dropdown aria-label="Placed">
          <DayRangeInputs label="Placed" value={placed} onChange={value => onChange({ placed: value })} />
        </Popover.Dropdown>
      </Popover>
      {contact && (
        <Button variant="light" size="xs" fw={400} rightSection={<IconX size={14} />} onClick={() => onChange({ contact: undefined })}>
          Of one contact
        </Button>
      )}
      {total != null && (
        <Text size="xs" c="dimmed" ml="auto">
          {total.toLocaleString()} {total === 1 ? 'call' : 'calls'}
        </Text>
      )}
    </Toolbar>
  )
}
