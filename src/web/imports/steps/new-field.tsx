// Makes a custom field for a column, with the type that fits its values.

import { Button, Group, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useMutationWithProblems } from '../../data/use-write.ts'
import { CreateFieldForImportDocument } from '../../generated/documents/imports.ts'
import type { CustomFieldType, ImportNoun } from '../../generated/schema.ts'
import { importWords } from '../../language/en/inputs/imports.ts'
import { customFieldWords } from '../../language/en/settings/custom-fields.ts'
import { optionsOf } from '../../language/values.ts'
import { ErrorNotice } from '../../pieces/states/error-notice.tsx'
import classes from '../imports.module.css'
import type { ImportToMap } from '../mapping.ts'

interface NewFieldProps {
  column: ImportToMap['columns'][number] | undefined
  noun: ImportNoun
  /** `custom.<key>` */
  onMade(field: string): void
  onClose(): void
}

export function NewField({ column, noun, onMade, onClose }: NewFieldProps) {
  const [label, setLabel] = useState(column?.name ?? '')
  const [type, setType] = useState<CustomFieldType>(column?.suggestedType ?? 'TEXT')
  const create = useMutationWithProblems(CreateFieldForImportDocument)
  const values = column?.suggestedOptions.length ? column.suggestedOptions : (column?.samples ?? [])
  const hasOptions = type === 'SELECT' || type === 'MULTI_SELECT'
  const make = async () => {
    const { data } = await create.run({
      input: {
        ...(noun !== 'NOTE' && noun !== 'TASK' && { noun }),
        key: keyOf(label),
        label: label.trim(),
        type,
        ...(hasOptions && { options: values.map(value => value.slice(0, 100)) }),
      },
    })
    if (data) onMade(`custom.${data.createCustomField.key}`)
  }
  return (
    <div className={classes.wide}>
      <Group gap="xs" align="end">
        <TextInput
          label={importWords.newName}
          value={label}
          maxLength={200}
          data-autofocus
          onChange={({ currentTarget }) => setLabel(currentTarget.value)}
        />
        <Select
          label={importWords.holds}
          data={optionsOf(customFieldWords.types)}
          value={type}
          allowDeselect={false}
          onChange={value => value && setType(value)}
        />
        <Button disabled={label.trim() === ''} loading={create.isRunning} onClick={() => void make()}>
          {importWords.createField}
        </Button>
        <Button variant="default" onClick={onClose}>
          {importWords.cancel}
        </Button>
      </Group>
      {create.failure && <ErrorNotice failure={create.failure} />}
    </div>
  )
}

/** Returns `renewal_date` for `Renewal date`. A name without Latin letters has a key of random ones, which nobody sees here. */
function keyOf(label: string): string {
  const plain = label
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+/, '')
    .slice(0, 60)
  const key = plain.endsWith('_') ? plain.slice(0, -1) : plain
  return key === '' ? `field_${crypto.randomUUID().slice(0, 8)}` : key
}
