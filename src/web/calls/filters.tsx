// The toolbar of the list: status, outcome, agent, and how many match.

import { MultiSelect, Select, Text } from '@mantine/core'
import { useQuery } from 'urql'
import { Toolbar } from '../frame/header.tsx'
import { CallAgentsDocument } from '../generated/documents/calls.ts'
import { type CallOutcome, type CallStatus, callOutcomeValues, callStatusValues } from '../generated/schema.ts'
import { words } from '../pieces/status.tsx'
import classes from './filters.module.css'

interface Chosen {
  status?: CallStatus[] | undefined
  outcome?: CallOutcome[] | undefined
  agent?: string | undefined
}

interface FiltersProps extends Chosen {
  total: number | null | undefined
  onChange(change: Chosen): void
}

const optionsOf = <Value extends string>(values: readonly Value[]) => values.map(value => ({ value, label: words(value) }))
const orNothing = <Value,>(values: Value[]) => (values.length > 0 ? values : undefined)

export function Filters({ status, outcome, agent, total, onChange }: FiltersProps) {
  const [{ data }] = useQuery({ query: CallAgentsDocument })
  const agents = data?.voiceAgents.nodes.map(({ id, name }) => ({ value: id, label: name })) ?? []
  return (
    <Toolbar>
      <MultiSelect
        size="xs"
        aria-label="Status"
        placeholder={status ? undefined : 'Any status'}
        data={optionsOf(callStatusValues)}
        value={status ?? []}
        onChange={values => onChange({ status: orNothing(values) })}
        clearable
        className={classes.filter}
      />
      <MultiSelect
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
        searchable
        className={classes.filter}
      />
      {total != null && (
        <Text size="xs" c="dimmed" ml="auto">
          {total.toLocaleString()} {total === 1 ? 'call' : 'calls'}
        </Text>
      )}
    </Toolbar>
  )
}
