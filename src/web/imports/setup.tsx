// The settings of an import before its start: the mapping of columns, the handling of existing contacts, and a preview of the first rows.

import { Button, Group, Radio, Select, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { useContactFields } from '../contact-record/fields/choices.ts'
import { useMutationWithProblems } from '../data/use-write.ts'
import { CancelImportDocument, StartImportDocument } from '../generated/documents/imports.ts'
import { type OnConflict, onConflictValues } from '../generated/schema.ts'
import { ErrorNotice } from '../pieces/states/error-notice.tsx'
import { ImportFormat } from './format.tsx'
import classes from './imports.module.css'
import { fieldOptions, type ImportToMap, type Mapping, mappingInput, suggestedMapping } from './mapping.ts'
import { Preview } from './preview.tsx'

interface ImportSetupProps {
  found: ImportToMap
  mayWrite: boolean
  isGuest: boolean
}

export function ImportSetup({ found, mayWrite, isGuest }: ImportSetupProps) {
  // The mapping belongs to these columns: another format has other columns and its own mapping.
  const [chosen, setChosen] = useState<{ columns: string; mapping: Mapping } | null>(null)
  const columns = JSON.stringify(found.columns.map(({ name }) => name))
  const mapping = chosen?.columns === columns ? chosen.mapping : suggestedMapping(found)
  const setMapping = (next: Mapping) => setChosen({ columns, mapping: next })
  const [onConflict, setOnConflict] = useState<OnConflict | null>(null)
  const options = fieldOptions(useContactFields())
  const start = useMutationWithProblems(StartImportDocument)
  const cancel = useMutationWithProblems(CancelImportDocument)
  const input = { mapping: mappingInput(mapping), onConflict }
  const format = [found.encoding, found.delimiter, found.headerRow].join(' ')
  const isEmpty = input.mapping.length === 0
  const failure = start.failure ?? cancel.failure
  return (
    <Stack gap="lg">
      <ImportFormat found={found} mayWrite={mayWrite} />
      <section aria-labelledby="columns-title">
        <Title order={2} size="h4" id="columns-title" mb="xs">
          Columns
        </Title>
        {found.columns.map(({ name, samples }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two columns may have the same name, and never change places.
          <div key={index} className={classes.column}>
            <div>
              <Text size="sm" fw={500} className={classes.anywhere}>
                {name}
              </Text>
              <Text size="xs" c="dimmed" truncate>
                {samples.join(', ')}
              </Text>
            </div>
            <Select
              aria-label={`Field of the column ${name}`}
              placeholder="Left out"
              data={options.filter(({ value }) => value === mapping[index] || !mapping.includes(value))}
              value={mapping[index] ?? null}
              onChange={value => setMapping(mapping.map((one, at) => (at === index ? value : one)))}
              searchable
              clearable
              clearButtonProps={{ 'aria-label': `Leave out ${name}` }}
              disabled={!mayWrite}
            />
          </div>
        ))}
      </section>
      <Radio.Group
        label="When a contact has the row's e-mail or external id already"
        value={onConflict ?? 'REFUSE'}
        onChange={value => setOnConflict(onConflictValues.find(one => one === value) ?? null)}
      >
        <Stack gap="xs" mt="xs">
          <Radio value="REFUSE" label="Refuse the row, and list it in the report" disabled={!mayWrite} />
          <Radio value="SKIP" label="Leave the contact as it is" disabled={!mayWrite} />
          <Radio value="UPDATE" label="Change the contact to the values of the row" disabled={!mayWrite} />
        </Stack>
      </Radio.Group>
      {!isEmpty && <Preview key={format} id={found.id} {...input} options={options} />}
      <div className={classes.actions}>
        {failure && <ErrorNotice failure={failure} />}
        <Group gap="xs">
          <Button
            disabled={!mayWrite || isEmpty}
            loading={start.isRunning}
            onClick={() => void start.run({ input: { id: found.id, ...input } })}
          >
            {isGuest ? 'Sign up to import' : 'Start import'}
          </Button>
          <Button
            variant="default"
            disabled={!mayWrite || start.isRunning}
            loading={cancel.isRunning}
            onClick={() => void cancel.run({ input: { id: found.id } })}
          >
            Discard the file
          </Button>
          {isEmpty && (
            <Text size="sm" c="dimmed">
              Choose a field for at least one column.
            </Text>
          )}
        </Group>
      </div>
    </Stack>
  )
}
