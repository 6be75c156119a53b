// The fields that columns of a file may become, by the noun of its rows.

import { useMemo } from 'react'
import { useQuery } from 'urql'
import { contactFields, customField, type Option, type RecordField } from '../contact-record/fields/fields.ts'
import { stageOptions } from '../deal-record/choices.ts'
import { PipelinesDocument } from '../generated/documents/deal-record.ts'
import { ImportFieldsDocument, ImportReasonsDocument } from '../generated/documents/imports.ts'
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

/** The choices for pipelines, stages and reasons of lost deals. */
export function useDealChoices(isOn: boolean): Readonly<Record<string, readonly Option[]>> {
  const [{ data }] = useQuery({ query: PipelinesDocument, pause: !isOn })
  const [{ data: reasons }] = useQuery({ query: ImportReasonsDocument, pause: !isOn })
  return useMemo(() => {
    const pipelines = data?.pipelines ?? []
    return {
      PIPELINE_ID: pipelines.map(({ id, name }) => ({ value: id, label: name })),
      STAGE_ID: stageOptions(pipelines),
      LOST_REASON: (reasons?.dealSettings.lostReasons ?? []).map(reason => ({ value: reason, label: reason })),
    }
  }, [data, reasons])
}
