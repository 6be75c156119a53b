// The form of the assignment rule: its kind, the lines of countries or sources, and the members who get the others in turn.

import { Button, Input, MultiSelect, SegmentedControl, Stack, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { newId } from '../../data/new-id.ts'
import { useMutationWithProblems } from '../../data/use-write.ts'
import { SetAssignmentRuleDocument } from '../../generated/documents/settings-assignment.ts'
import type { AssignmentRuleFragment } from '../../generated/operations.ts'
import { type AssignmentKind, type ContactSource, contactSourceValues } from '../../generated/schema.ts'
import { countryOptions } from '../../language/countries.ts'
import { contactWords } from '../../language/en/contacts.ts'
import { assignmentWords as words } from '../../language/en/settings/assignment.ts'
import { useIsAway } from '../../live/connectivity.ts'
import { notify } from '../../pieces/notices/refusal.tsx'
import { ErrorNotice } from '../../pieces/states/error-notice.tsx'
import { EntryLine } from './entry-line.tsx'

interface Option {
  value: string
  label: string
}

interface RuleFormProps {
  rule: AssignmentRuleFragment
  members: readonly Option[]
  isOff: boolean
  onSaved(): void
}

const kinds = ['NONE', 'ROUND_ROBIN', 'BY_COUNTRY', 'BY_SOURCE'] as const satisfies readonly AssignmentKind[]
const emptyLine = () => ({ key: newId(), values: [] as string[], userId: '' })
const linesOf = ({ entries }: AssignmentRuleFragment) =>
  entries.map(({ values, userId }) => ({ key: newId(), values: [...values], userId }))

export function RuleForm({ rule, members, isOff, onSaved }: RuleFormProps) {
  const isAway = useIsAway()
  const { run, isRunning, failure } = useMutationWithProblems(SetAssignmentRuleDocument)
  const [kind, setKind] = useState(rule.kind)
  const [lines, setLines] = useState(() => linesOf(rule))
  const [userIds, setUserIds] = useState([...rule.userIds])
  const [problem, setProblem] = useState<string | null>(null)
  const choices = useMemo(() => (kind === 'BY_COUNTRY' ? countryOptions() : sourceOptions()), [kind])
  const hasLines = kind === 'BY_COUNTRY' || kind === 'BY_SOURCE'

  const save = async () => {
    const isIncomplete = hasLines && (lines.length === 0 || lines.some(({ values, userId }) => values.length === 0 || userId === ''))
    const found = isIncomplete ? words.complete : kind === 'ROUND_ROBIN' && userIds.length === 0 ? words.choose : null
    setProblem(found)
    if (found) return
    const { data } = await run({
      input: {
        kind,
        entries: hasLines ? lines.map(({ values, userId }) => ({ values, userId })) : [],
        userIds: kind === 'NONE' ? [] : userIds,
      },
    })
    if (!data) return
    notify(words.saved)
    onSaved()
  }
  return (
    <Stack gap="md">
      <SegmentedControl
        aria-label={words.title}
        transitionDuration={0}
        disabled={isOff}
        data={kinds.map(value => ({ value, label: words.kinds[value] }))}
        value={kind}
        onChange={value => {
          const next = kinds.find(one => one === value) ?? 'NONE'
          // Countries are no sources.
          if (next !== kind) setLines(next === rule.kind ? linesOf(rule) : [emptyLine()])
          setKind(next)
          setProblem(null)
        }}
      />
      <Text size="sm">{words.means[kind]}</Text>
      {hasLines &&
        lines.map(line => (
          <EntryLine
            key={line.key}
            line={line}
            label={kind === 'BY_COUNTRY' ? words.countries : words.sources}
            choices={choices.filter(({ value }) => line.values.includes(value) || !lines.some(({ values }) => values.includes(value)))}
            members={members}
            isOff={isOff}
            onChange={next => setLines(lines.map(one => (one === line ? { ...one, ...next } : one)))}
            onRemove={() => setLines(lines.filter(one => one !== line))}
          />
        ))}
      {hasLines && !isOff && (
        <div>
          <Button variant="default" size="xs" leftSection={<IconPlus />} onClick={() => setLines([...lines, emptyLine()])}>
            {kind === 'BY_COUNTRY' ? words.addCountries : words.addSources}
          </Button>
        </div>
      )}
      {kind !== 'NONE' && (
        <MultiSelect
          label={hasLines ? words.others : words.members}
          description={hasLines ? words.othersHelp : words.left}
          data={[...members]}
          searchable
          disabled={isOff}
          value={userIds}
          onChange={setUserIds}
        />
      )}
      {problem && <Input.Error role="alert">{problem}</Input.Error>}
      {failure && <ErrorNotice failure={failure} />}
      {isOff ? (
        <Text size="sm" c="dimmed">
          {words.onlyAdmins}
        </Text>
      ) : (
        <div>
          <Button disabled={isAway} loading={isRunning} onClick={() => void save()}>
            {words.save}
          </Button>
        </div>
      )}
    </Stack>
  )
}

// As the API names them.
const sourceOptions = (): Option[] =>
  contactSourceValues.map((value: ContactSource) => ({ value: value.toLowerCase(), label: contactWords.source[value] }))
