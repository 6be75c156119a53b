// "Values to find out": a row for each value, with its name, its kind and the contact field that it goes to.

import { ActionIcon, Button, Group, Input, Menu, Select, Stack, TagsInput, Text, TextInput } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconPlus, IconX } from '@tabler/icons-react'
import { type KeyboardEvent, useReducer, useRef } from 'react'
import type { WriteForm } from '../../forms/use-write-form.ts'
import { announce } from '../../keyboard/announce.tsx'
import { agentWords } from '../../language/en/agents.ts'
import { fieldLabel, optionsOf } from '../../language/values.ts'
import classes from './agent-form.module.css'
import type { AgentValues } from './agent-values.ts'
import type { CustomFieldOfContacts } from './use-filling.ts'
import { kindOf, newWanted, takesKind, textFields, type Wanted, type WantedKind } from './wanted.ts'

// The API's limit.
const maxRows = 50
const usual = ['job_title', 'company_name', 'email', 'city'] as const

interface WantedRowsProps extends Pick<WriteForm<AgentValues>, 'form'> {
  customFields: readonly CustomFieldOfContacts[]
}

export function WantedRows({ form, customFields }: WantedRowsProps) {
  // The form keeps its values without rendering; the rows are rendered from them.
  const [, render] = useReducer((count: number) => count + 1, 0)
  const box = useRef<HTMLDivElement>(null)
  const rows = form.getValues().extraction
  const words = agentWords.wanted
  const set = (next: Wanted[]) => {
    form.setFieldValue('extraction', next)
    render()
  }
  const change = (index: number, part: Partial<Wanted>) => set(rows.map((row, at) => (at === index ? { ...row, ...part } : row)))
  const focusRow = (index: number) =>
    setTimeout(() => box.current?.querySelectorAll('fieldset')[index]?.querySelector('input')?.focus(), 60)
  const add = (row: Wanted) => {
    set([...rows, row])
    focusRow(rows.length)
  }
  const remove = (index: number) => {
    set(rows.filter((_row, at) => at !== index))
    focusRow(Math.max(0, index - 1))
  }
  const move = (index: number, by: -1 | 1) => {
    const to = index + by
    const [one, other] = [rows[index], rows[to]]
    if (!one || !other) return
    set(rows.with(index, other).with(to, one))
    announce(words.moved(one.title, to + 1, rows.length))
  }
  const isFree = (field: string) => rows.every(row => row.field !== field)
  return (
    <Input.Wrapper labelElement="div" label={agentWords.fields.extraction} description={agentWords.help.extraction}>
      <Stack gap="xs" mt={6} ref={box}>
        {rows.length === 0 && (
          <Text size="sm" c="dimmed">
            {words.none}
          </Text>
        )}
        {rows.map((row, index) => (
          <Row
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no id, and their inputs show the values of the form.
            key={index}
            row={row}
            place={index + 1}
            count={rows.length}
            customFields={customFields}
            onChange={part => change(index, part)}
            onMove={by => move(index, by)}
            onRemove={() => remove(index)}
          />
        ))}
        <Menu position="bottom-start" shadow="md">
          <Menu.Target>
            <Button variant="default" leftSection={<IconPlus />} disabled={rows.length >= maxRows} style={{ alignSelf: 'flex-start' }}>
              {words.add}
            </Button>
          </Menu.Target>
          <Menu.Dropdown mah={320} style={{ overflowY: 'auto' }}>
            {usual.filter(isFree).map(field => (
              <Menu.Item key={field} onClick={() => add(newWanted(fieldLabel(field), field))}>
                {fieldLabel(field)}
              </Menu.Item>
            ))}
            {customFields
              .filter(({ key, type }) => type !== 'MULTI_SELECT' && isFree(`custom.${key}`))
              .map(({ key, label, type, options }) => (
                <Menu.Item key={key} onClick={() => add({ ...newWanted(label, `custom.${key}`, kindOf[type]), options: [...options] })}>
                  {label}
                </Menu.Item>
              ))}
            <Menu.Divider />
            <Menu.Item onClick={() => add(newWanted())}>{words.other}</Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </Stack>
    </Input.Wrapper>
  )
}

interface RowProps {
  row: Wanted
  place: number
  count: number
  customFields: readonly CustomFieldOfContacts[]
  onChange(part: Partial<Wanted>): void
  onMove(by: -1 | 1): void
  onRemove(): void
}

function Row({ row, place, count, customFields, onChange, onMove, onRemove }: RowProps) {
  const words = agentWords.wanted
  const { title, kind, field, options, question } = row
  const onKeyDown = (event: KeyboardEvent) => {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
    event.preventDefault()
    onMove(event.key === 'ArrowUp' ? -1 : 1)
  }
  const changeKind = (next: WantedKind) => {
    const own = customFields.find(({ key }) => field === `custom.${key}`)
    const fits = field === '' || takesKind(next, own?.type ?? 'CONTACT')
    onChange({ kind: next, field: fits ? field : '' })
  }
  return (
    <fieldset className={classes.row} aria-label={title || words.row(place)} onKeyDown={onKeyDown}>
      <Stack gap={6}>
        <Group gap={4} wrap="nowrap">
          <TextInput
            flex={1}
            aria-label={words.title}
            placeholder={words.title}
            value={title}
            maxLength={200}
            onChange={event => onChange({ title: event.currentTarget.value })}
          />
          <ActionIcon variant="subtle" aria-label={words.up(title)} disabled={place === 1} onClick={() => onMove(-1)}>
            <IconArrowUp />
          </ActionIcon>
          <ActionIcon variant="subtle" aria-label={words.down(title)} disabled={place === count} onClick={() => onMove(1)}>
            <IconArrowDown />
          </ActionIcon>
          <ActionIcon variant="subtle" aria-label={words.remove(title)} onClick={onRemove}>
            <IconX />
          </ActionIcon>
        </Group>
        <div className={classes.pair}>
          <Select
            aria-label={words.field}
            data={targetsFor(kind, field, customFields)}
            value={field}
            allowDeselect={false}
            searchable
            onChange={value => onChange({ field: String(value ?? '') })}
          />
          <Select
            aria-label={words.kind}
            data={optionsOf(agentWords.kinds)}
            value={kind}
            allowDeselect={false}
            onChange={value => value && changeKind(value as WantedKind)}
          />
        </div>
        {kind === 'choice' && (
          <TagsInput
            aria-label={words.options}
            placeholder={options.length === 0 ? words.options : ''}
            value={options}
            maxTags={100}
            onChange={next => onChange({ options: next })}
          />
        )}
        <TextInput
          aria-label={words.question}
          placeholder={`${words.question}: ${words.questionExample}`}
          value={question}
          maxLength={1000}
          onChange={event => onChange({ question: event.currentTarget.value })}
        />
      </Stack>
    </fieldset>
  )
}

/** The fields that take the kind, in groups, and the chosen one even where it is gone. */
function targetsFor(kind: WantedKind, chosen: string, customFields: readonly CustomFieldOfContacts[]) {
  const words = agentWords.wanted
  const ofContacts = textFields
    .filter(() => takesKind(kind, 'CONTACT'))
    .map(value => ({ value: value as string, label: fieldLabel(value) }))
  const own = customFields
    .filter(({ key, type }) => takesKind(kind, type) || chosen === `custom.${key}`)
    .map(({ key, label }) => ({ value: `custom.${key}`, label }))
  const isListed = chosen === '' || [...ofContacts, ...own].some(({ value }) => value === chosen)
  return [
    { value: '', label: words.onlyInCall },
    ...(isListed ? [] : [{ value: chosen, label: fieldLabel(chosen) }]),
    ...(ofContacts.length > 0 ? [{ group: words.contactFields, items: ofContacts }] : []),
    ...(own.length > 0 ? [{ group: words.customFields, items: own }] : []),
  ]
}
