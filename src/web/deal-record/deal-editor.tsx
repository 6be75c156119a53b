// Edits a field of a deal in its place. Another stage is a move of the deal.

import { lazy } from 'react'
import { useQuery } from 'urql'
import { loadPart } from '../app/loaded.ts'
import { type EditorOf, FieldEditor } from '../contact-record/fields/field-editor.tsx'
import { type Door, useFieldEdit } from '../contact-record/fields/use-field-edit.ts'
import { DealRecordDocument, LostReasonsDocument, UpdateDealDocument } from '../generated/documents/deal-record.ts'
import { moneyOf } from '../language/amount.ts'
import { SelectEditor } from '../table/editors.tsx'
import { stageOptions, usePipelines } from './choices.ts'
import type { Deal } from './fields.ts'
import { useMoving } from './use-moving.tsx'

const CompanyEditor = lazy(() => loadPart(() => import('./company-editor.tsx')))

const deals: Door<Deal> = {
  async read(client, id) {
    return (await client.query(DealRecordDocument, { id }, { requestPolicy: 'network-only' }).toPromise()).data?.deal
  },
  async write(client, input, context) {
    const { data, error } = await client.mutation(UpdateDealDocument, { input }, context).toPromise()
    return { error, changed: data?.updateDeal }
  },
  textOf: (deal, { id }) => (id === 'companyId' ? (deal.company?.name ?? '') : undefined),
}

const useDealEdit = () => useFieldEdit(deals)

export function DealEditor(props: EditorOf<Deal>) {
  const save = useDealEdit()
  const { record, field, onDone } = props
  switch (field.id) {
    case 'stageId':
      return <StageEditor {...props} />
    case 'lostReason':
      return <LostReasonEditor {...props} />
    case 'companyId':
      return (
        <CompanyEditor deal={record} label={field.label} onDone={onDone} onSave={(value, text) => save({ record, field, value, text })} />
      )
    default:
      return <FieldEditor {...props} save={save} moneyOf={moneyOf} />
  }
}

function StageEditor({ record, field, onDone }: EditorOf<Deal>) {
  const pipelines = usePipelines()
  const move = useMoving()
  const stages = pipelines.flatMap(({ stages }) => stages)
  const onSave = (id: string) => {
    const stage = stages.find(one => one.id === id)
    if (stage) void move(record, stage)
  }
  return <SelectEditor label={field.label} value={record.stageId} options={stageOptions(pipelines)} onDone={onDone} onSave={onSave} />
}

function LostReasonEditor(props: EditorOf<Deal>) {
  const { record, field, onDone } = props
  const save = useDealEdit()
  const [{ data }] = useQuery({ query: LostReasonsDocument })
  if (!data) return null
  const { lostReasons } = data.dealSettings
  if (lostReasons.length === 0) return <FieldEditor {...props} save={save} />
  const kept = record.lostReason
  const all = kept === null || lostReasons.includes(kept) ? lostReasons : [kept, ...lostReasons]
  return (
    <SelectEditor
      label={field.label}
      value={kept ?? ''}
      options={all.map(value => ({ value, label: value }))}
      onDone={onDone}
      onSave={value => save({ record, field, value })}
    />
  )
}
