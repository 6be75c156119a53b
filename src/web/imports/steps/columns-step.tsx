// The first step: the field of each column, new fields, and the country of phone numbers.

import { Button, Select, Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useQuery } from 'urql'
import { ImportCountryDocument } from '../../generated/documents/imports.ts'
import { countryOptions } from '../../language/countries.ts'
import { importWords } from '../../language/en/inputs/imports.ts'
import { fieldLabel } from '../../language/values.ts'
import { ImportFormat } from '../format.tsx'
import classes from '../imports.module.css'
import { type ImportToMap, isSeveral } from '../mapping.ts'
import type { Answers } from '../settings.ts'
import { NewField } from './new-field.tsx'

interface ColumnsStepProps {
  found: ImportToMap
  answers: Answers
  change(next: Partial<Answers>): void
  options: readonly { value: string; label: string }[]
  mayWrite: boolean
}

const newField = 'new'

export function ColumnsStep({ found, answers, change, options, mayWrite }: ColumnsStepProps) {
  const { mapping, country } = answers
  const hasNewFields = found.noun !== 'NOTE' && found.noun !== 'TASK'
  const [creating, setCreating] = useState<number | null>(null)
  const [{ data }] = useQuery({ query: ImportCountryDocument })
  const countries = useMemo(countryOptions, [])
  const setField = (column: number, value: string | null) => change({ mapping: mapping.map((one, at) => (at === column ? value : one)) })
  return (
    <>
      <ImportFormat found={found} mayWrite={mayWrite} />
      <section aria-label={importWords.columns}>
        {found.columns.map(({ name, samples, furtherField }, index) => {
          const isFurther = hasNewFields && furtherField !== null && !isSeveral(furtherField) && mapping[index] === null
          return (
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
              <div>
                <Select
                  aria-label={importWords.fieldOf(name)}
                  placeholder={importWords.leftOut}
                  data={[
                    ...(hasNewFields ? [{ value: newField, label: importWords.newField }] : []),
                    ...options.filter(({ value }) => value === mapping[index] || isSeveral(value) || !mapping.includes(value)),
                  ]}
                  value={mapping[index] ?? null}
                  onChange={value => (value === newField ? setCreating(index) : setField(index, value))}
                  searchable
                  clearable
                  clearButtonProps={{ 'aria-label': importWords.leaveOutColumn(name) }}
                  disabled={!mayWrite}
                />
                {isFurther && creating !== index && (
                  <Text size="xs" c="dimmed" mt={4}>
                    {importWords.onlyOne(fieldLabel(furtherField.toLowerCase()))}{' '}
                    <Button variant="subtle" size="compact-xs" disabled={!mayWrite} onClick={() => setCreating(index)}>
                      {importWords.keepInNew}
                    </Button>
                  </Text>
                )}
              </div>
              {creating === index && (
                <NewField
                  column={found.columns[index]}
                  noun={found.noun}
                  onMade={key => {
                    setField(index, key)
                    setCreating(null)
                  }}
                  onClose={() => setCreating(null)}
                />
              )}
            </div>
          )
        })}
      </section>
      {mapping.includes('PHONE') && (
        <Select
          label={importWords.country}
          description={importWords.countryHelp}
          placeholder={importWords.notKnown}
          data={countries}
          value={country ?? data?.organization.country ?? null}
          onChange={value => change({ country: value })}
          searchable
          disabled={!mayWrite}
          maw={320}
        />
      )}
    </>
  )
}
