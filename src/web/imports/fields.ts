// The fields that columns of a file may become, by the noun of its rows.

import { useMemo } from 'react'
import { useQuery } from 'urql'
import { contactFields, customField, type Option, type RecordField } from '../contact-record/fields/fields.ts'
import { ImportFieldsDocument, ImportStagesDocument } from '../generated/documents/imports.ts'
import type { ImportNoun } from '../generated/schema.ts'

const noFields: readonly RecordField[] = []

/** The fields of contacts, or none, and the custom fields of the noun. Notes and tasks have none. */
export function useImportFields(noun: ImportNoun): readonly RecordField[] {
  const record = noun === 'NOTE' || noun === 'TASK' ? null : noun
  const [{ data }] = useQuery({ query: ImportFieldsDocument, variables: { noun: record }, pause: record === null })
  return useMemo(() => {
    const own = noun === 'CONTACT' ? contactFields : noFields
    return record === null ? own : [...own, ...(data?.customFields ?? []).map(customField)]
  }, [noun, record, data])
}

/** The choices for pipelines, stages and reasons of lost deals. With several pipelines each stage names its own. */
export function useDealChoices(isOn: boolean): Readonly<Record<string, readonly Option[]>> {
  const [{ data }] = useQuery({ query: ImportStagesDocument, pause: !isOn })
  return useMemo(() => {
    const pipelines = data?.pipelines ?? []
    const isOne = pipelines.length < 2
    return {
      PIPELINE_ID: pipelines.map(({ id, name }) => ({ value: id, label: name })),
      STAGE_ID: pipelines.flatMap(({ name: pipeline, stages }) =>
        stages.map(({ id, name }) => ({ value: id, label: isOne ? name : `${pipeline}: ${name}` })),
      ),
      LOST_REASON: (data?.dealSettings.lostReasons ?? []).map(reason => ({ value: reason, label: reason })),
    }
  }, [data])
}
